package expiry

// list is a ring of timers entered at its head, whose prev is the tail: one word for an empty list, which is what most
// slots are.
type list[T any] struct {
	head *Timer[T]
}

// tail returns the last timer, or nil.
func (l *list[T]) tail() *Timer[T] {
	if l.head == nil {
		return nil
	}
	return l.head.prev
}

// push appends t.
func (l *list[T]) push(t *Timer[T]) {
	if l.head == nil {
		t.next, t.prev = t, t
		l.head = t
		return
	}
	head, tail := l.head, l.head.prev
	t.next, t.prev = head, tail
	tail.next, head.prev = t, t
}

// remove takes out t, which must be in l, and leaves t's own links as they were.
func (l *list[T]) remove(t *Timer[T]) {
	if t.next == t {
		l.head = nil
		return
	}
	t.prev.next, t.next.prev = t.next, t.prev
	if l.head == t {
		l.head = t.next
	}
}

// each calls f for each timer in order.
func (l *list[T]) each(f func(*Timer[T])) {
	for t := l.head; t != nil; t = t.next {
		f(t)
		if t.next == l.head {
			return
		}
	}
}

// drain clears l and calls f, which may push to any list, for each timer in order.
func (l *list[T]) drain(f func(*Timer[T])) {
	eachOf(l.detach(), f)
}

// eachOf calls f, which may relink the timer it gets, for each timer of a chain.
func eachOf[T any](chain *Timer[T], f func(*Timer[T])) {
	for chain != nil {
		t := chain
		chain = t.next
		f(t)
	}
}

// detach clears l and returns its timers as a chain that ends with nil.
func (l *list[T]) detach() *Timer[T] {
	head := l.head
	if head != nil {
		head.prev.next = nil
		l.head = nil
	}
	return head
}

// earliest returns the least deadline in l; ok is false if l is empty or holds more than limit timers.
func (l *list[T]) earliest(limit int) (when int64, ok bool) {
	if l.head == nil {
		return 0, false
	}
	when = l.head.when
	for t := l.head.next; t != l.head; t = t.next {
		if limit--; limit == 0 {
			return 0, false
		}
		when = min(when, t.when)
	}
	return when, true
}

// sort orders l by deadline; timers with the same deadline keep their order.
func (l *list[T]) sort() {
	n := 0
	l.each(func(*Timer[T]) { n++ })
	if n < 2 {
		return
	}
	chain, _ := sortChain(l.detach(), n)
	eachOf(chain, l.push)
}

// sortChain sorts the first n >= 1 timers of a chain by merging halves, and returns them and the rest as chains.
func sortChain[T any](chain *Timer[T], n int) (sorted, rest *Timer[T]) {
	if n == 1 {
		rest = chain.next
		chain.next = nil
		return chain, rest
	}
	a, rest := sortChain(chain, n/2)
	b, rest := sortChain(rest, n-n/2)
	return mergeChains(a, b), rest
}

// mergeChains merges two sorted chains; of equal deadlines those of a come first.
func mergeChains[T any](a, b *Timer[T]) (merged *Timer[T]) {
	end := &merged
	for a != nil && b != nil {
		if b.when < a.when {
			*end, b = b, b.next
		} else {
			*end, a = a, a.next
		}
		end = &(*end).next
	}
	if a == nil {
		a = b
	}
	*end = a
	return merged
}
