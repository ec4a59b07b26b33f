package expiry

import "unsafe"

// A timer does not point to its owner, of which it is a part: that saves a word for each. The wheel knows instead
// where in an owner its timer is.

// owner is what t is a field of.
func (w *Wheel[T]) owner(t *Timer[T]) *T { return (*T)(unsafe.Add(unsafe.Pointer(t), -int(w.offset))) }

// checkOwner takes the place in the owner from the first timer, and panics if another timer has a different place.
func (w *Wheel[T]) checkOwner(t *Timer[T], owner *T) {
	offset := uintptr(unsafe.Pointer(t)) - uintptr(unsafe.Pointer(owner))
	if w.count == 0 && offset < unsafe.Sizeof(*owner) {
		w.offset = uint32(offset)
	}
	if offset != uintptr(w.offset) {
		panic("expiry: a timer is not where the others are in their owners")
	}
}
