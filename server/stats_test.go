package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
)

func TestStats(t *testing.T) {
	s := StartT(t)
	c := connect(t, s)
	c.must(t, "SET", "a", "1")
	c.must(t, "SELECT", "3")
	c.must(t, "SET", "b", "1", "PX", "1000")
	_, err := c.do("NOSUCH")
	require.Error(t, err)
	blocked(t, s, dial(t, s), "BLPOP queue 0")
	figures := s.Stats()
	require.Equal(t, 2, figures.Clients)
	require.Equal(t, 1, figures.Blocked)
	require.Equal(t, 2, figures.Keys)
	require.Equal(t, int64(2), figures.Connections)
	require.Equal(t, int64(3), figures.Commands) // BLPOP counts when it ends
	require.Equal(t, map[string]int64{"ERR": 1}, figures.Errors)
	s.Advance(time.Second)
	later := s.Stats()
	require.Equal(t, int64(1), later.Expired)
	require.Equal(t, 1, later.Keys)
	require.Equal(t, figures.Started, later.Started)
}

// No fault happens to the figures, and they are not counted.
func TestStats_IsNoCommand(t *testing.T) {
	s := StartT(t)
	s.Faults().Add(fault.Rule{Action: fault.Close()})
	before := s.Stats()
	require.Equal(t, before, s.Stats())
	require.Zero(t, s.Faults().List()[0].Hits)
}

func TestClients(t *testing.T) {
	s := StartT(t)
	require.Empty(t, s.Clients())
	c := connect(t, s)
	c.must(t, "CLIENT", "SETNAME", "worker")
	c.must(t, "CLIENT", "SETINFO", "LIB-NAME", "mine")
	blocked(t, s, dial(t, s), "BLPOP queue 0")
	list := s.Clients()
	require.Len(t, list, 2)
	require.Equal(t, ClientInfo{ID: 1, Name: "worker", Addr: c.nc.LocalAddr().String(), Library: "mine",
		Created: list[0].Created, Active: list[0].Active, Command: "client|setinfo"}, list[0])
	require.True(t, list[1].Blocked)
	require.Equal(t, "blpop", list[1].Command)
}

func TestCheckPassword(t *testing.T) {
	s := StartT(t)
	require.False(t, s.NeedsPassword())
	require.True(t, s.CheckPassword("any"))
	connect(t, s).must(t, "CONFIG", "SET", "requirepass", "secret")
	require.True(t, s.NeedsPassword())
	for password, right := range map[string]bool{"secret": true, "secre": false, "secret ": false, "": false} {
		require.Equal(t, right, s.CheckPassword(password), "%q", password)
	}
}

func TestFaults_AddLine(t *testing.T) {
	s := StartT(t)
	id, err := s.Faults().AddLine(`COMMAND get KEY "a b" TIMES 2 THEN ERROR "MINE it fails"`)
	require.NoError(t, err)
	rule := s.Faults().List()[0].Rule
	require.Equal(t, fault.Rule{Command: "get", Key: "a b", Times: 2, Action: fault.Error("MINE it fails")}, rule)
	require.Equal(t, `COMMAND get KEY "a b" TIMES 2 THEN ERROR "MINE it fails"`, rule.String())
	_, err = connect(t, s).do("GET", "a b")
	require.Equal(t, "MINE it fails", fmt.Sprint(err))
	hits, _ := s.Faults().Hits(id)
	require.Equal(t, int64(1), hits)
	for line, message := range map[string]string{
		"":                        "ERR THEN and what is to happen are missing",
		`COMMAND "get THEN CLOSE`: "ERR unbalanced quotes in the rule",
		"COMMAND gte THEN CLOSE":  "ERR unknown command 'gte'",
		"EXPLODE":                 "ERR unknown condition 'EXPLODE'",
	} {
		_, err := s.Faults().AddLine(line)
		require.Equal(t, message, fmt.Sprint(err), line)
	}
	require.Len(t, s.Faults().List(), 1)
}

func TestClock_FrozenAndSpeed(t *testing.T) {
	clk := StartT(t).Clock()
	require.False(t, clk.Frozen())
	require.Equal(t, 1.0, clk.Speed())
	clk.Freeze()
	clk.SetSpeed(2.5)
	require.True(t, clk.Frozen())
	require.Equal(t, 2.5, clk.Speed())
	clk.Resume()
	require.False(t, clk.Frozen())
}
