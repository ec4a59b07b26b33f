package require

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// NoError requires that there is no error.
func NoError(t TestingT, err error, message ...any) {
	if err != nil {
		t.Helper()
		Fail(t, fmt.Sprintf("an error: %+v", err), message...)
	}
}

// Error requires that there is an error.
func Error(t TestingT, err error, message ...any) {
	if err == nil {
		t.Helper()
		Fail(t, "no error", message...)
	}
}

// ErrorIs requires an error that is the target, as errors.Is says.
func ErrorIs(t TestingT, err, target error, message ...any) {
	if !errors.Is(err, target) {
		t.Helper()
		Fail(t, fmt.Sprintf("the error is not \"%v\": %v", target, err), message...)
	}
}

// ErrorAs requires an error of the target's type, and sets the target to it, as errors.As does.
func ErrorAs(t TestingT, err error, target any, message ...any) {
	if !errors.As(err, target) {
		t.Helper()
		Fail(t, fmt.Sprintf("the error is no %T: %v", target, err), message...)
	}
}

// ErrorContains requires an error with a part of its text.
func ErrorContains(t TestingT, err error, part string, message ...any) {
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Helper()
		Fail(t, fmt.Sprintf("the error is not about %q: %v", part, err), message...)
	}
}

// EqualError requires an error with a text. It is for texts that a client sees; ErrorIs is better for what programs
// check.
func EqualError(t TestingT, err error, text string, message ...any) {
	if err == nil || err.Error() != text {
		t.Helper()
		Fail(t, fmt.Sprintf("the error is not %q: %v", text, err), message...)
	}
}

// Panics requires that a function panics.
func Panics(t TestingT, f func(), message ...any) {
	if panicOf(f) == nil {
		t.Helper()
		Fail(t, "no panic", message...)
	}
}

// PanicsWithValue requires that a function panics with a value that is deeply equal to want.
func PanicsWithValue(t TestingT, want any, f func(), message ...any) {
	if got := panicOf(f); !reflect.DeepEqual(want, got) {
		t.Helper()
		Fail(t, "not the panic"+difference(want, got), message...)
	}
}

// panicOf calls f and returns what it panics with, nil if it returns.
func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// Eventually requires that a condition holds before a deadline, and checks it again and again. For what happens in
// other goroutines or processes only: a test whose clock can be advanced does not need it.
func Eventually(t TestingT, holds func() bool, within, every time.Duration, message ...any) {
	for deadline := time.Now().Add(within); !holds(); time.Sleep(every) {
		if !time.Now().Before(deadline) {
			t.Helper()
			Fail(t, fmt.Sprintf("did not hold within %v", within), message...)
		}
	}
}
