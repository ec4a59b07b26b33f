package hll

// Registers are those of a sketch, or the highest of several.
type Registers [registers]uint8

// Merge gives each register the value of a sketch where that is higher (PFMERGE, PFCOUNT of several keys). After an
// error they are those of the runs before it.
func (r *Registers) Merge(s Sketch) error {
	if s.Dense() {
		for i := range r {
			r[i] = max(r[i], s.register(i))
		}
		return nil
	}
	i := 0
	s.walk(func(o run) bool {
		if i+o.length > registers {
			i = 0
			return false
		}
		if o.value > 0 {
			for j := i; j < i+o.length; j++ {
				r[j] = max(r[j], o.value)
			}
		}
		i += o.length
		return true
	})
	if i != registers {
		return ErrCorrupt
	}
	return nil
}

// Raise gives a sketch the registers that are higher than its own, one after the other. See Sketch.Add for maxSparse.
func (r *Registers) Raise(s Sketch, maxSparse int) (Sketch, error) {
	for i, value := range r {
		if value == 0 {
			continue
		}
		var err error
		if s, _, err = s.raise(i, value, maxSparse); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Estimate is how many different elements the registers have seen, roughly.
func (r *Registers) Estimate() uint64 {
	var h histogram
	for _, value := range r {
		h[value&registerMax]++
	}
	return h.estimate()
}

// Estimate is how many different elements the sketch has seen, roughly, computed whatever the cache holds.
func (s Sketch) Estimate() (uint64, error) {
	var h histogram
	if s.Dense() {
		for i := range registers {
			h[s.register(i)]++
		}
		return h.estimate(), nil
	}
	total := 0
	s.walk(func(r run) bool {
		h[r.value] += r.length
		total += r.length
		return true
	})
	if total != registers {
		return 0, ErrCorrupt
	}
	return h.estimate(), nil
}
