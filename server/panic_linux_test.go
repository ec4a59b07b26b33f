package server

func init() {
	breakLoop = func(s *Server) {
		s.mu.Lock()
		l := s.loops[0]
		s.mu.Unlock()
		l.enqueue(nil)
	}
}
