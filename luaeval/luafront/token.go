package luafront

// tokenKind is the kind of a token. A character that stands for itself ('+', '(', '~', a stray '@') has its own byte as
// its kind; reserved words, operators of two characters and tokens with a value follow from 257 on.
type tokenKind int

const (
	tokAnd tokenKind = iota + 257
	tokBreak
	tokDo
	tokElse
	tokElseif
	tokEnd
	tokFalse
	tokFor
	tokFunction
	tokIf
	tokIn
	tokLocal
	tokNil
	tokNot
	tokOr
	tokRepeat
	tokReturn
	tokThen
	tokTrue
	tokUntil
	tokWhile
	tokConcat
	tokDots
	tokEq
	tokGe
	tokLe
	tokNe
	tokNumber
	tokName
	tokString
	tokEOF
)

// tokenTexts are the spellings that Lua uses in messages, in the order of the kinds.
var tokenTexts = [...]string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
	"repeat", "return", "then", "true", "until", "while", "..", "...", "==", ">=", "<=", "~=",
	"<number>", "<name>", "<string>", "<eof>",
}

// reserved maps the words that can't be names. Lua 5.1 has no goto.
var reserved = func() map[string]tokenKind {
	words := make(map[string]tokenKind)
	for kind := tokAnd; kind <= tokWhile; kind++ {
		words[tokenTexts[kind-tokAnd]] = kind
	}
	return words
}()

// text returns the name of a token in messages; control characters are shown by number.
func (k tokenKind) text() string {
	switch {
	case k >= tokAnd:
		return tokenTexts[k-tokAnd]
	case k == 0:
		return "" // the message of Lua does not name a NUL
	case k < ' ' || k == 0x7f:
		return "char(" + itoa(int(k)) + ")"
	default:
		return string([]byte{byte(k)})
	}
}

// token is one lexical element. The value is a name, the contents of a string, or a number in a spelling that
// gopher-lua reads right.
type token struct {
	kind  tokenKind
	line  int    // where the token ends, counted from 1
	start int    // offset of its first byte
	end   int    // offset behind its last byte
	value string // empty for all but names, strings and numbers
}
