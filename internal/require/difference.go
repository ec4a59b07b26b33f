package require

import (
	"fmt"
	"reflect"
	"strings"
)

// difference shows both values, and where they begin to differ if they are texts of several lines or slices.
func difference(want, got any) string {
	text := "\nwant: " + show(want) + "\ngot:  " + show(got)
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	if w.Kind() != g.Kind() {
		return text
	}
	switch what := "element"; w.Kind() {
	case reflect.String:
		lines := strings.SplitAfter(w.String(), "\n")
		if len(lines) == 1 {
			return text
		}
		what, w, g = "line", reflect.ValueOf(lines), reflect.ValueOf(strings.SplitAfter(g.String(), "\n"))
		fallthrough
	case reflect.Slice:
		return text + firstDifference(what, w, g)
	default:
		return text
	}
}

// firstDifference shows the first elements that differ, else the two lengths, since one is then the start of the other.
func firstDifference(what string, w, g reflect.Value) string {
	for i := range min(w.Len(), g.Len()) {
		if a, b := w.Index(i).Interface(), g.Index(i).Interface(); !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("\n%s %d:\nwant: %s\ngot:  %s", what, i, show(a), show(b))
		}
	}
	return fmt.Sprintf("\nthere are %d of %ss, not %d", g.Len(), what, w.Len())
}

// show writes a value as Go does, but errors and what has a String method by their words. Pointers are followed once.
func show(v any) string {
	switch v := v.(type) {
	case error, fmt.Stringer:
		return fmt.Sprintf("%T(%v)", v, v)
	case nil:
		return "nil"
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && !r.IsNil() && r.Elem().Kind() == reflect.Struct {
		return fmt.Sprintf("%+v", v)
	}
	return fmt.Sprintf("%#v", v)
}
