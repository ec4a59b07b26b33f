package command

import "github.com/minilockd/minilockd/pubsub"

// ServeReplica makes the client a replica: it gets what SendRaw sends after the reply to the present call, and no
// replies to further ones.
func (s *Session) ServeReplica() {
	s.enablePushes()
	s.peer.HoldPushes()
	s.info.replica.Store(true)
}

// IsReplica reports whether ServeReplica was called. It is safe for concurrent use.
func (s *Session) IsReplica() bool { return s.info.replica.Load() }

// ReplicaData returns what SetReplicaData has set. Only the session itself may call it.
func (s *Session) ReplicaData() any { return s.replicaData }

// SetReplicaData keeps what the client says of itself as a replica. Only the session itself may call it.
func (s *Session) SetReplicaData(data any) { s.replicaData = data }

// SendRaw sends a message to a client that is a replica. It is safe for concurrent use.
func (s *Session) SendRaw(m *pubsub.Message) { s.peer.Push(m) }
