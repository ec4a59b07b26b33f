package command

import "sync/atomic"

// Stats counts what a server has done, for INFO.
type Stats struct {
	Connections atomic.Int64 // accepted since the start
	Rejected    atomic.Int64 // refused at maxclients
	Commands    atomic.Int64 // executed
	Errors      atomic.Int64 // error replies
}
