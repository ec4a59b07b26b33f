package command_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/luaeval"
)

// panics is a log handler that fails the test when a handler has panicked.
type panics struct {
	slog.Handler
	t testing.TB
}

func (p panics) Enabled(context.Context, slog.Level) bool { return true }

func (p panics) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "panic in command" {
		r.Attrs(func(a slog.Attr) bool { p.t.Errorf("%s: %v", a.Key, a.Value); return true })
	}
	return nil
}

// serveSeeds are sessions that touch every family of commands.
var serveSeeds = []string{
	"SET a 1\nINCR a\nAPPEND a x\nSETRANGE a 5 y\nGETRANGE a -3 -1\nEXPIRE a 100 NX\nCOPY a b REPLACE",
	"HSET h f v g w\nHINCRBY h n 5\nHRANDFIELD h -3 WITHVALUES\nHSCAN h 0 COUNT 1\nHDEL h f g n",
	"RPUSH l a b c\nLINSERT l BEFORE b x\nLREM l -1 a\nLTRIM l 0 1\nLPOS l b RANK -1 COUNT 0\nLMOVE l l LEFT RIGHT",
	"SADD s 1 2 3\nSINTERCARD 2 s s LIMIT 1\nSPOP s 2\nSRANDMEMBER s -5\nSSCAN s 0",
	"ZADD z 1 a 2 b\nZRANGE z (1 +inf BYSCORE LIMIT 0 1 WITHSCORES\nZUNIONSTORE d 2 z s WEIGHTS 1 2 AGGREGATE " +
		"MAX\nZRANGEBYLEX z - +",
	"XADD x 1-1 f v\nXADD x MAXLEN ~ 5 * f v\nXRANGE x - + COUNT 1\nXREAD COUNT 2 STREAMS x 0\nXTRIM x MINID 2",
	"XADD x 1-1 f v\nXGROUP CREATE x g 0\nXREADGROUP GROUP g c STREAMS x >\nXCLAIM x g d 0 1-1 FORCE\nXAUTOCLAIM " +
		"x g c 0 - COUNT 1\nXINFO STREAM x FULL",
	"XGROUP CREATE x g $ MKSTREAM\nXREADGROUP GROUP g c BLOCK 1 STREAMS x >\nXPENDING x g IDLE 1 - + 9 c\nXGROUP " +
		"SETID x g 5 ENTRIESREAD 9\nXACK x g 1",
	"MULTI\nSET a 1\nEVAL return{KEYS[1],redis.call('get','a')} 1 k\nEXEC\nWATCH a\nUNWATCH",
	"SUBSCRIBE c\nPUBLISH c m\nUNSUBSCRIBE\nHELLO 3\nCLIENT LIST\nCONFIG GET *\nCOMMAND DOCS get\nINFO\nSCAN 0 " +
		"MATCH * TYPE hash",
	"SETBIT a 7 1\nBITCOUNT a 0 -1 BIT\nBITOP NOT d a\nBITPOS a 1 0 -1\nLCS a b IDX\nOBJECT ENCODING a",
	"BITFIELD a SET i5 #3 -1 OVERFLOW FAIL INCRBY u63 7 9 GET u8 0\nBITFIELD_RO a GET i64 1",
	"PFADD p a b c\nPFCOUNT p q\nSETRANGE p 17 ~\nPFMERGE q p\nPFDEBUG GETREG p\nPFDEBUG DECODE q\nCONFIG SET " +
		"hll-sparse-max-bytes 20",
	"GEOADD g 1 2 a 3.5 -80 b\nGEORADIUS g 1 2 500 km WITHDIST COUNT 1 STORE d\nGEOSEARCH g FROMMEMBER a BYBOX 9 " +
		"9 mi ANY COUNT 2\nGEOHASH g a b\nGEOPOS g a",
}

// FuzzServe runs lines of words as commands of two sessions over a few keys. No handler may panic, and every call is
// followed by a reply: words are separated by blanks, calls by line breaks.
func FuzzServe(f *testing.F) {
	for _, seed := range serveSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		env, _ := commandtest.NewEnv(t)
		env.Log = slog.New(panics{t: t})
		env.Scripts = luaeval.New(emulate.Named(""), env.Log)
		clients := []*commandtest.Client{commandtest.NewClient(t, env), commandtest.NewClient(t, env)}
		for i, line := range bytes.Split(data, []byte("\n")) {
			args := bytes.Fields(line)
			if len(args) == 0 || forbidden(args) {
				continue
			}
			c := clients[i%len(clients)]
			if c.Session.Blocked() {
				continue
			}
			c.Session.Out, c.Sent = c.Session.Out[:0], c.Sent[:0]
			c.Session.Serve(args)
		}
		for _, c := range clients {
			c.Session.Close()
		}
	})
}

// forbidden leaves out what would end or stop the test itself, and scripts that loop.
func forbidden(args [][]byte) bool {
	for _, name := range []string{"shutdown", "debug", "eval", "eval_ro", "script"} {
		if command.EqualFold(args[0], name) && !(len(args) > 2 && bytes.Contains(args[1], []byte("redis.call"))) {
			return true
		}
	}
	for _, arg := range args { // half a gigabyte is allowed, but not for a fuzzer
		if len(arg) >= 8 && bytes.Trim(arg, "0123456789") == nil {
			return true
		}
	}
	return bytes.Contains(args[min(1, len(args)-1)], []byte("while")) ||
		bytes.Contains(args[min(1, len(args)-1)], []byte("for"))
}
