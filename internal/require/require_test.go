package require

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"
)

// failure is how a test double ends, with what it reports.
type failure string

type double struct{ helped int }

func (d *double) Helper() { d.helped++ }

func (d *double) Fatalf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// report is what an assertion reports, or "" if it holds.
func report(t *testing.T, assert func(TestingT)) (text string) {
	t.Helper()
	d := new(double)
	defer func() {
		f, failed := recover().(failure)
		if text = string(f); failed && d.helped < 2 {
			t.Errorf("%q is reported at a line of this package", text)
		}
	}()
	assert(d)
	return ""
}

type celsius float64

var (
	one, other = new(int), new(int)
	noPointer  *int
	noSlice    []string
	noFile     = &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	start      = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)
	nan        = math.NaN()
)

// holding are calls that hold.
var holding = []func(TestingT){
	func(t TestingT) { Equal(t, []byte("a"), []byte("a")) },
	func(t TestingT) { NotEqual(t, 1, int64(1)) },
	func(t TestingT) { EqualValues(t, 1, int64(1)) },
	func(t TestingT) { EqualValues(t, 20, celsius(20)) },
	func(t TestingT) { Same(t, one, one) },
	func(t TestingT) { NotSame(t, one, other) },
	func(t TestingT) { True(t, true) },
	func(t TestingT) { False(t, false) },
	func(t TestingT) { Nil(t, nil) },
	func(t TestingT) { Nil(t, noPointer) },
	func(t TestingT) { NotNil(t, 0) },
	func(t TestingT) { Zero(t, start.Sub(start)) },
	func(t TestingT) { NotZero(t, []string{}) },
	func(t TestingT) { Empty(t, []string{}) },
	func(t TestingT) { Empty(t, noSlice) },
	func(t TestingT) { Empty(t, "") },
	func(t TestingT) { NotEmpty(t, map[string]int{"a": 0}) },
	func(t TestingT) { Len(t, "abc", 3) },
	func(t TestingT) { Contains(t, "abc", "b") },
	func(t TestingT) { Contains(t, []any{1, "b"}, "b") },
	func(t TestingT) { Contains(t, map[string]int{"b": 0}, "b") },
	func(t TestingT) { NotContains(t, []any{1, "b"}, int64(1)) },
	func(t TestingT) { ElementsMatch(t, []int{1, 2, 1}, []int{2, 1, 1}) },
	func(t TestingT) { Regexp(t, "^a.$", "ab") },
	func(t TestingT) { Regexp(t, regexp.MustCompile("b"), "ab") },
	func(t TestingT) { Less(t, time.Second, time.Minute) },
	func(t TestingT) { LessOrEqual(t, 1.0, 1) },
	func(t TestingT) { Greater(t, "b", "a") },
	func(t TestingT) { GreaterOrEqual(t, 1, 1) },
	func(t TestingT) { Positive(t, time.Second) },
	func(t TestingT) { InDelta(t, time.Second, 999_999_999, 1) },
	func(t TestingT) { WithinDuration(t, start, start.Add(-time.Second), time.Second) },
	func(t TestingT) { NoError(t, nil) },
	func(t TestingT) { Error(t, io.EOF) },
	func(t TestingT) { ErrorIs(t, fmt.Errorf("read: %w", io.EOF), io.EOF) },
	func(t TestingT) { ErrorAs(t, fmt.Errorf("start: %w", noFile), new(*fs.PathError)) },
	func(t TestingT) { ErrorContains(t, io.EOF, "EO") },
	func(t TestingT) { EqualError(t, io.EOF, "EOF") },
	func(t TestingT) { Panics(t, func() { panic("a fault") }) },
	func(t TestingT) { PanicsWithValue(t, "a fault", func() { panic("a fault") }) },
	func(t TestingT) { FileExists(t, "require_test.go") },
	func(t TestingT) { NoFileExists(t, "none") },
	func(t TestingT) { DirExists(t, ".") },
}

func TestAssertions_Hold(t *testing.T) {
	for i, assert := range holding {
		if got := report(t, assert); got != "" {
			t.Errorf("number %d: %s", i, got)
		}
	}
}

// failing are calls that fail, by what they report.
var failing = map[string]func(TestingT){
	"not equal\nwant: \"a\"\ngot:  \"b\"\nof k": func(t TestingT) { Equal(t, "a", "b", "of %s", "k") },
	"not equal\nwant: 1\ngot:  1\n[5]":          func(t TestingT) { Equal(t, 1, int64(1), 5) },
	"line 1:\nwant: \"b\"\ngot:  \"c\"":         func(t TestingT) { Equal(t, "a\nb", "a\nc") },
	"there are 3 of elements, not 2":            func(t TestingT) { Equal(t, []int{1, 2}, []int{1, 2, 3}) },
	"both are 1":                                func(t TestingT) { NotEqual(t, 1, 1) },
	"got:  256":                                 func(t TestingT) { EqualValues(t, byte(0), 256) },
	"got:  \"A\"":                               func(t TestingT) { EqualValues(t, 65, "A") },
	"not the same pointer":                      func(t TestingT) { Same(t, one, other) },
	"not another pointer":                       func(t TestingT) { NotSame(t, one, one) },
	"not another pointer: 2":                    func(t TestingT) { NotSame(t, 1, 2) },
	"not true\nwhy":                             func(t TestingT) { True(t, false, "why") },
	"not false":                                 func(t TestingT) { False(t, true) },
	"not nil: 0":                                func(t TestingT) { Nil(t, 0) },
	"nil\nof its type":                          func(t TestingT) { NotNil(t, noPointer, "of its type") },
	"not zero: time.Duration(1ns)":              func(t TestingT) { Zero(t, time.Nanosecond) },
	"zero: false":                               func(t TestingT) { NotZero(t, false) },
	"not empty: []int{0}":                       func(t TestingT) { Empty(t, []int{0}) },
	"empty: []string{}":                         func(t TestingT) { NotEmpty(t, []string{}) },
	"there are 1, not 2: []int{0}":              func(t TestingT) { Len(t, []int{0}, 2) },
	"\"abc\" does not contain \"d\"":            func(t TestingT) { Contains(t, "abc", "d") },
	"[]int{1} does not contain 2":               func(t TestingT) { Contains(t, []int{1}, 2) },
	"map[int]int{1:1} contains 1":               func(t TestingT) { NotContains(t, map[int]int{1: 1}, 1) },
	"other elements":                            func(t TestingT) { ElementsMatch(t, []int{1, 1, 2}, []int{1, 2, 2}) },
	"\"ab\" does not match ^b":                  func(t TestingT) { Regexp(t, "^b", "ab") },
	"1 is not less than 1":                      func(t TestingT) { Less(t, 1, 1) },
	"NaN is not less than 1":                    func(t TestingT) { Less(t, nan, 1) },
	"2 is not at most 1":                        func(t TestingT) { LessOrEqual(t, 2, 1) },
	"1 is not greater than 1":                   func(t TestingT) { Greater(t, 1, 1) },
	"NaN is not at least 0":                     func(t TestingT) { GreaterOrEqual(t, nan, 0) },
	"0 is not positive":                         func(t TestingT) { Positive(t, 0) },
	"NaN is not within 1 of 0":                  func(t TestingT) { InDelta(t, 0, nan, 1) },
	"is not within 1ns of":                      func(t TestingT) { WithinDuration(t, start, start.Add(2), 1) },
	"an error: EOF":                             func(t TestingT) { NoError(t, io.EOF) },
	"no error":                                  func(t TestingT) { Error(t, nil) },
	"the error is not \"EOF\": <nil>":           func(t TestingT) { ErrorIs(t, nil, io.EOF) },
	"the error is no **fs.PathError: EOF":       func(t TestingT) { ErrorAs(t, io.EOF, new(*fs.PathError)) },
	"the error is not about \"x\": EOF":         func(t TestingT) { ErrorContains(t, io.EOF, "x") },
	"the error is not \"EO\": EOF":              func(t TestingT) { EqualError(t, io.EOF, "EO") },
	"no panic":                                  func(t TestingT) { Panics(t, func() {}) },
	"not the panic\nwant: 1":                    func(t TestingT) { PanicsWithValue(t, 1, func() { panic(2) }) },
	"no file: .":                                func(t TestingT) { FileExists(t, ".") },
	"a file: require_test.go":                   func(t TestingT) { NoFileExists(t, "require_test.go") },
	"no directory: require_test.go":             func(t TestingT) { DirExists(t, "require_test.go") },
}

func TestAssertions_Fail(t *testing.T) {
	for want, assert := range failing {
		if got := report(t, assert); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

func TestEventually(t *testing.T) {
	calls := 0
	third := func() bool { calls++; return calls == 3 }
	if got := report(t, func(t TestingT) { Eventually(t, third, time.Minute, 0) }); got != "" || calls != 3 {
		t.Errorf("%s after %d looks", got, calls)
	}
	never := func(t TestingT) { Eventually(t, func() bool { return false }, 0, 0, "not %s", "once") }
	if got := report(t, never); got != "did not hold within 0s\nnot once" {
		t.Error(got)
	}
}

// What has words of its own is shown by them, and a pointer by what it points to.
func TestShow(t *testing.T) {
	for want, v := range map[string]any{
		"nil": nil, "*errors.errorString(a fault)": errors.New("a fault"), "&{a:1}": &struct{ a int }{1},
		"(*int)(nil)": noPointer,
	} {
		if got := show(v); got != want {
			t.Errorf("%s is not %s", got, want)
		}
	}
}
