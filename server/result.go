package server

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/reply"
)

// Result is what [Server.Do] returns: the reply to a command, or the error that kept it from having one. Its methods
// convert the reply, and return an error if it is of another kind. It is safe for concurrent use.
type Result struct {
	command string // for errors
	reply   reply.Reply
	err     error // without a reply
}

// ReplyError is an error reply of the server: "WRONGTYPE Operation against …".
type ReplyError struct{ Text string }

// Error implements error.
func (e ReplyError) Error() string { return e.Text }

// Code returns the first word of the text: "WRONGTYPE".
func (e ReplyError) Code() string {
	code, _, _ := strings.Cut(e.Text, " ")
	return code
}

// ErrNil is the error of conversions of a reply that is nil, such as that of GET for a missing key.
var ErrNil = errors.New("the reply is nil")

// Err returns the error of the command: a [ReplyError] if the server replied one, nil otherwise. A reply that is nil is
// no error.
func (r Result) Err() error {
	switch {
	case r.err != nil:
		return r.err
	case r.reply.Kind == reply.Error:
		return ReplyError{r.reply.Text}
	}
	return nil
}

// IsNil reports whether the reply is nil.
func (r Result) IsNil() bool { return r.err == nil && r.reply.Kind == reply.Nil }

// String returns the result in a readable form for logs and messages: strings are quoted, arrays in brackets. Text has
// the value.
func (r Result) String() string {
	if r.err != nil {
		return "(error) " + r.err.Error()
	}
	return r.reply.String()
}

// Text returns a string, or a number as the server has sent it.
func (r Result) Text() (string, error) {
	if err := r.fail(); err != nil {
		return "", err
	}
	switch r.reply.Kind {
	case reply.Text, reply.Status, reply.Integer, reply.Double:
		return r.reply.Text, nil
	}
	return "", r.mismatch("a string")
}

// Int returns an integer, also if it is sent as a string.
func (r Result) Int() (int64, error) {
	text, err := r.Text()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, r.mismatch("an integer")
	}
	return n, nil
}

// Float returns a number, also if it is sent as a string.
func (r Result) Float() (float64, error) {
	text, err := r.Text()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, r.mismatch("a number")
	}
	return f, nil
}

// Bool returns true for true, 1 and OK, and false for false, 0 and nil. So it says whether SET with NX has set the key.
func (r Result) Bool() (bool, error) {
	err := r.Err()
	switch k := r.reply; {
	case err != nil:
		return false, err
	case k.Kind == reply.Nil:
		return false, nil
	case k.Kind == reply.Bool:
		return k.Text == "t", nil
	case k.Text == "1", k.Kind == reply.Status && k.Text == "OK":
		return true, nil
	case k.Text == "0":
		return false, nil
	}
	return false, r.mismatch("a bool")
}

// Slice returns the elements of an array or a set, the keys and values of a map in turn.
func (r Result) Slice() ([]Result, error) {
	if err := r.fail(); err != nil {
		return nil, err
	}
	if r.reply.Elems == nil && r.reply.Kind != reply.Array && r.reply.Kind != reply.Map {
		return nil, r.mismatch("an array")
	}
	elems := make([]Result, len(r.reply.Elems))
	for i, elem := range r.reply.Elems {
		elems[i] = Result{command: r.command, reply: elem}
	}
	return elems, nil
}

// Strings is Slice with the Text of each element, "" for those that are nil.
func (r Result) Strings() ([]string, error) {
	elems, err := r.Slice()
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(elems))
	for i, elem := range elems {
		if elem.IsNil() {
			continue
		}
		if texts[i], err = elem.Text(); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// Map returns a map with the Text of each key and value, also of an array that has them in turn.
func (r Result) Map() (map[string]string, error) {
	texts, err := r.Strings()
	if err != nil {
		return nil, err
	}
	if len(texts)%2 != 0 {
		return nil, r.mismatch("a map")
	}
	m := make(map[string]string, len(texts)/2)
	for i := 0; i < len(texts); i += 2 {
		m[texts[i]] = texts[i+1]
	}
	return m, nil
}

// fail is Err, or ErrNil for nil.
func (r Result) fail() error {
	if r.IsNil() {
		return fmt.Errorf("server: %s: %w", r.command, ErrNil)
	}
	return r.Err()
}

func (r Result) mismatch(wanted string) error {
	return fmt.Errorf("server: %s: the reply is not %s: %s", r.command, wanted, r.reply)
}

// commandName returns the name of the command for errors.
func commandName(words [][]byte) string {
	if len(words) == 0 {
		return "Do"
	}
	return strings.ToUpper(string(words[0]))
}

// encodeArgs returns the arguments of a command as the server gets them.
func encodeArgs(args []any) ([][]byte, error) {
	if len(args) == 0 {
		return nil, errors.New("there is no command")
	}
	words := make([][]byte, len(args))
	for i, arg := range args {
		word, ok := encodeArg(arg)
		if !ok {
			return words[:i], fmt.Errorf("argument %d is a %T, which is no string, number or bool", i, arg)
		}
		words[i] = word
	}
	return words, nil
}

func encodeArg(arg any) (word []byte, ok bool) {
	switch v := arg.(type) {
	case string:
		return []byte(v), true
	case []byte:
		return v, true
	case time.Duration:
		return nil, false
	}
	switch v := reflect.ValueOf(arg); {
	case v.Kind() == reflect.String:
		return []byte(v.String()), true
	case v.Kind() == reflect.Bool && v.Bool():
		return []byte{'1'}, true
	case v.Kind() == reflect.Bool:
		return []byte{'0'}, true
	case v.CanInt():
		return strconv.AppendInt(nil, v.Int(), 10), true
	case v.CanUint():
		return strconv.AppendUint(nil, v.Uint(), 10), true
	case v.CanFloat():
		return appendFloat(v.Float()), true
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return v.Bytes(), true
	}
	return nil, false
}

// appendFloat writes a float as Redis reads it.
func appendFloat(f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return []byte("inf")
	case math.IsInf(f, -1):
		return []byte("-inf")
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}
