package require

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// Equal requires that both are deeply equal, and of the same type: int 1 is not int64 1, and a nil slice is not an
// empty one.
func Equal(t TestingT, want, got any, message ...any) {
	if !reflect.DeepEqual(want, got) {
		t.Helper()
		Fail(t, "not equal"+difference(want, got), message...)
	}
}

// NotEqual requires that they are not deeply equal.
func NotEqual(t TestingT, other, got any, message ...any) {
	if reflect.DeepEqual(other, got) {
		t.Helper()
		Fail(t, "both are "+show(got), message...)
	}
}

// EqualValues requires that they are equal once one is converted to the type of the other, without a loss.
func EqualValues(t TestingT, want, got any, message ...any) {
	if !(reflect.DeepEqual(want, got) || equalConverted(want, got)) {
		t.Helper()
		Fail(t, "not equal"+difference(want, got), message...)
	}
}

// equalConverted converts in both directions, so that a fraction or an overflow is not lost on the way.
func equalConverted(want, got any) bool {
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	if !w.IsValid() || !g.IsValid() || !w.CanConvert(g.Type()) || !g.CanConvert(w.Type()) {
		return false
	}
	return reflect.DeepEqual(w.Convert(g.Type()).Interface(), got) &&
		reflect.DeepEqual(g.Convert(w.Type()).Interface(), want)
}

// Same requires that both are one pointer.
func Same(t TestingT, want, got any, message ...any) {
	if !isPointer(got) || want != got {
		t.Helper()
		Fail(t, "not the same pointer"+difference(want, got), message...)
	}
}

// NotSame requires that they are two pointers.
func NotSame(t TestingT, other, got any, message ...any) {
	if !isPointer(got) || other == got {
		t.Helper()
		Fail(t, fmt.Sprintf("not another pointer: %#v", got), message...)
	}
}

func isPointer(v any) bool { return reflect.ValueOf(v).Kind() == reflect.Pointer }

// True requires that a condition holds.
func True(t TestingT, got bool, message ...any) {
	if !got {
		t.Helper()
		Fail(t, "not true", message...)
	}
}

// False requires that a condition does not hold.
func False(t TestingT, got bool, message ...any) {
	if got {
		t.Helper()
		Fail(t, "not false", message...)
	}
}

// Nil requires nil, or a nil of its type.
func Nil(t TestingT, got any, message ...any) {
	if !isNil(got) {
		t.Helper()
		Fail(t, "not nil: "+show(got), message...)
	}
}

// NotNil requires neither nil nor a nil of its type.
func NotNil(t TestingT, got any, message ...any) {
	if isNil(got) {
		t.Helper()
		Fail(t, "nil", message...)
	}
}

// isNil reports whether v is nil, or an interface that holds a nil pointer, map, slice, channel or function.
func isNil(v any) bool {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return r.IsNil()
	default:
		return false
	}
}

// Zero requires the zero value of its type.
func Zero(t TestingT, got any, message ...any) {
	if !isZero(got) {
		t.Helper()
		Fail(t, "not zero: "+show(got), message...)
	}
}

// NotZero requires anything but the zero value of its type.
func NotZero(t TestingT, got any, message ...any) {
	if isZero(got) {
		t.Helper()
		Fail(t, "zero: "+show(got), message...)
	}
}

func isZero(v any) bool { return v == nil || reflect.ValueOf(v).IsZero() }

// Empty requires something of length 0, or the zero value of its type.
func Empty(t TestingT, got any, message ...any) {
	if !isEmpty(got) {
		t.Helper()
		Fail(t, "not empty: "+show(got), message...)
	}
}

// NotEmpty requires something that has a length and elements, or is not the zero value of its type.
func NotEmpty(t TestingT, got any, message ...any) {
	if isEmpty(got) {
		t.Helper()
		Fail(t, "empty: "+show(got), message...)
	}
}

// isEmpty reports whether v has no elements. An array, a string and any other type is empty if it is its zero value.
func isEmpty(v any) bool {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Chan, reflect.Map, reflect.Slice:
		return r.Len() == 0
	default:
		return isZero(v)
	}
}

// Len requires a slice, map, string, array or channel with so many elements. On failure it reports all of them.
func Len(t TestingT, got any, want int, message ...any) {
	n := reflect.ValueOf(got).Len()
	if n != want {
		t.Helper()
		Fail(t, fmt.Sprintf("there are %d, not %d: %s", n, want, show(got)), message...)
	}
}

// Contains requires that a text has a part, a slice an element, or a map a key.
func Contains(t TestingT, whole, part any, message ...any) {
	if !contains(whole, part) {
		t.Helper()
		Fail(t, fmt.Sprintf("%s does not contain %s", show(whole), show(part)), message...)
	}
}

// NotContains is the opposite of Contains.
func NotContains(t TestingT, whole, part any, message ...any) {
	if contains(whole, part) {
		t.Helper()
		Fail(t, fmt.Sprintf("%s contains %s", show(whole), show(part)), message...)
	}
}

func contains(whole, part any) bool {
	w := reflect.ValueOf(whole)
	switch w.Kind() {
	case reflect.String:
		return strings.Contains(w.String(), reflect.ValueOf(part).String())
	case reflect.Map:
		return w.MapIndex(reflect.ValueOf(part)).IsValid()
	default:
		return count(w, part) > 0
	}
}

// count is how many elements of a slice are equal to one.
func count(list reflect.Value, element any) (n int) {
	for i := range list.Len() {
		if reflect.DeepEqual(list.Index(i).Interface(), element) {
			n++
		}
	}
	return n
}

// ElementsMatch requires that two slices have the same elements, in any order.
func ElementsMatch(t TestingT, want, got any, message ...any) {
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	same := w.Len() == g.Len()
	for i := 0; same && i < w.Len(); i++ {
		element := w.Index(i).Interface()
		same = count(w, element) == count(g, element)
	}
	if !same {
		t.Helper()
		Fail(t, "other elements"+difference(want, got), message...)
	}
}

// Regexp requires that a regular expression, compiled or not, matches a text.
func Regexp(t TestingT, expression any, got string, message ...any) {
	if !regexp.MustCompile(fmt.Sprint(expression)).MatchString(got) {
		t.Helper()
		Fail(t, fmt.Sprintf("%s does not match %v", show(got), expression), message...)
	}
}
