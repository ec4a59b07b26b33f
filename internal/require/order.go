package require

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Less requires a < b. Like the others it fails for a NaN.
func Less[T cmp.Ordered](t TestingT, a, b T, message ...any) {
	if !(a < b) {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not less than %v", a, b), message...)
	}
}

// LessOrEqual requires a <= b.
func LessOrEqual[T cmp.Ordered](t TestingT, a, b T, message ...any) {
	if !(a <= b) {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not at most %v", a, b), message...)
	}
}

// Greater requires a > b.
func Greater[T cmp.Ordered](t TestingT, a, b T, message ...any) {
	if !(a > b) {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not greater than %v", a, b), message...)
	}
}

// GreaterOrEqual requires a >= b.
func GreaterOrEqual[T cmp.Ordered](t TestingT, a, b T, message ...any) {
	if !(a >= b) {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not at least %v", a, b), message...)
	}
}

// number is what differences are taken of.
type number interface {
	~int | ~int64 | ~uint64 | ~float64
}

// Positive requires a number greater than 0.
func Positive[T number](t TestingT, got T, message ...any) {
	if got <= 0 {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not positive", got), message...)
	}
}

// InDelta requires numbers that differ by delta at most, computed as doubles: integers beyond 2^53 are rounded before.
// A NaN is not near anything.
func InDelta[W, G number](t TestingT, want W, got G, delta float64, message ...any) {
	if !(math.Abs(float64(want)-float64(got)) <= delta) {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not within %v of %v", got, delta, want), message...)
	}
}

// WithinDuration requires that two times differ by no more than delta, in either direction. It compares monotonic
// clocks if both times have one.
func WithinDuration(t TestingT, want, got time.Time, delta time.Duration, message ...any) {
	if want.Sub(got).Abs() > delta {
		t.Helper()
		Fail(t, fmt.Sprintf("%v is not within %v of %v", got, delta, want), message...)
	}
}
