package emulate

// Behavior is something that all servers can be asked for but that they answer differently. What a server does not know
// at all (a command, an argument) has its version in its own row.
type Behavior uint8

// The behaviors. Each has a line in the list, which says what it is.
const (
	BlockingInScripts Behavior = iota

	behaviors // their number
)

// list says what each behavior is and which servers have it, in the notation of Server.Has.
var list = []struct {
	behavior Behavior
	since    string
	what     string
}{
	{BlockingInScripts, "7.2", "scripts may call BLPOP and its like, which do not wait there"},
}
