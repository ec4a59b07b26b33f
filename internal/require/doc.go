// Package require has the assertions that the tests of all modules use. Each ends the test if it does not hold. The
// names and the order of arguments are those of testify's package require. It stands here because what our tests
// require takes part in the selection of versions of everybody who imports the server.
//
// The last arguments of an assertion, a format and its values, are added to what is reported.
package require

import "fmt"

// TestingT is what assertions need of a test. It is not testing.TB, which only the testing package can implement: so
// the tests of this package can pass their own.
type TestingT interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Fail ends the test.
func Fail(t TestingT, problem string, message ...any) {
	t.Helper()
	if len(message) == 0 {
		t.Fatalf("%s", problem)
	}
	if format, ok := message[0].(string); ok {
		t.Fatalf("%s\n%s", problem, fmt.Sprintf(format, message[1:]...))
	}
	t.Fatalf("%s\n%v", problem, message)
}
