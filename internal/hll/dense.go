package hll

// register is the value of a register of a dense sketch.
func (s Sketch) register(i int) uint8 {
	at, shift := position(i)
	value := s[at] >> shift
	if shift > 8-registerBits {
		value |= s[at+1] << (8 - shift)
	}
	return value & registerMax
}

// setRegister gives a register of a dense sketch a value, which must not be larger than registerMax.
func (s Sketch) setRegister(i int, value uint8) {
	at, shift := position(i)
	s[at] = s[at]&^(registerMax<<shift) | value<<shift
	if shift > 8-registerBits {
		s[at+1] = s[at+1]&^(registerMax>>(8-shift)) | value>>(8-shift)
	}
}

// position is the byte in which a register begins, and at which of its bits.
func position(i int) (at, shift int) {
	bit := i * registerBits
	return headerSize + bit/8, bit % 8
}

// raiseDense gives a register of a dense sketch a value if that is higher, and reports whether it was.
func (s Sketch) raiseDense(index int, value uint8) bool {
	if s.register(index) >= value {
		return false
	}
	s.setRegister(index, value)
	return true
}
