package hll

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// SelfTest adds 20,000 elements to a sketch in both encodings, and returns an error if the encodings differ
// or the estimate is off by more than its statistical error.
func SelfTest() error {
	const elements, step = 20_000, 1000
	loose, packed := New(), New()
	packed, err := packed.ToDense()
	for i := 1; i <= elements && err == nil; i++ {
		element := strconv.AppendInt(nil, int64(i), 10)
		packed, _, _ = packed.Add(element, 0)
		if loose, _, err = loose.Add(element, math.MaxInt); err == nil && i%step == 0 {
			err = agree(loose, packed, i)
		}
	}
	return err
}

// agree compares two sketches of the same elements with each other and with their number.
func agree(a, b Sketch, elements int) error {
	var ofA, ofB Registers
	if err := ofA.Merge(a); err != nil {
		return err
	}
	if err := ofB.Merge(b); err != nil {
		return err
	}
	if !slices.Equal(ofA[:], ofB[:]) {
		return fmt.Errorf("the registers of both encodings differ after %d elements", elements)
	}
	const deviation = 1.04 / 128 // standard error of 16384 registers
	if off := math.Abs(float64(ofA.Estimate())-float64(elements)) / float64(elements); off > 4*deviation {
		return fmt.Errorf("the estimate for %d elements is %.1f%% off", elements, 100*off)
	}
	return nil
}
