package lock

import (
	"context"
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed scripts/*.lua
var scriptFiles embed.FS

// script is a Lua script and its SHA1.
type script struct{ text, sha any } // strings; as any, so that a call does not allocate

// The scripts have the keys, arguments and effects of those of Redisson 4.7.0; compat_test compares them.
var (
	mutexAcquire  = loadScript("mutex_acquire")
	mutexRelease  = loadScript("mutex_release")
	mutexForce    = loadScript("mutex_force")
	mutexRenew    = loadScript("mutex_renew")
	fairAcquire   = loadScript("fair_queue", "fair_acquire")
	fairTry       = loadScript("fair_queue", "fair_try")
	fairRelease   = loadScript("latch", "fair_queue", "fair_release")
	fairForce     = loadScript("fair_queue", "fair_force")
	fairGiveUp    = loadScript("fair_giveup")
	readAcquire   = loadScript("read_acquire")
	readRelease   = loadScript("latch", "read_release")
	readRenew     = loadScript("read_renew")
	writeAcquire  = loadScript("write_acquire")
	writeRelease  = loadScript("latch", "write_release")
	rwForce       = loadScript("rw_force")
	spinRelease   = loadScript("latch", "spin_release")
	spinForce     = loadScript("spin_force")
	fencedAcquire = loadScript("fenced_acquire")

	semaphoreSet     = loadScript("semaphore_set")
	semaphoreAcquire = loadScript("semaphore_acquire")
	semaphoreRelease = loadScript("semaphore_release")
	semaphoreAdd     = loadScript("semaphore_add")
	semaphoreDrain   = loadScript("semaphore_drain")
	permitAcquire    = loadScript("permit_lapse", "permit_acquire")
	permitRelease    = loadScript("permit_release")
	permitRenew      = loadScript("permit_lapse", "permit_renew")
	permitAvailable  = loadScript("permit_lapse", "permit_available")
	permitAdd        = loadScript("permit_add")
	latchSet         = loadScript("latch_set")
	latchDown        = loadScript("latch_down")
	latchDelete      = loadScript("latch_delete")
	rateSet          = loadScript("rate_set")
	rateAcquire      = loadScript("rate_permits", "rate_acquire")
	rateAvailable    = loadScript("rate_permits", "rate_available")
)

// loadScript joins files; the first ones are shared by several scripts.
func loadScript(parts ...string) *script {
	var text []byte
	for _, part := range parts {
		b, err := scriptFiles.ReadFile("scripts/" + part + ".lua")
		if err != nil {
			panic(err)
		}
		text = append(text, b...)
	}
	sum := sha1.Sum(text)
	return &script{string(text), hex.EncodeToString(sum[:])}
}

// call returns the command that runs s; the first values of more are keys, the rest arguments.
func (s *script) call(keys int, more ...any) []any {
	args := make([]any, 0, 3+len(more))
	args = append(args, "evalsha", s.sha, keys)
	return append(args, more...)
}

// isNoScript reports whether err is NOSCRIPT.
func isNoScript(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT ") }

// once is a command that go-redis must not send again after a lost reply.
type once struct{ *redis.IntCmd }

// NoRetry implements redis.Cmder.
func (once) NoRetry() bool { return true }

// onceAny is once for replies of any type.
type onceAny struct{ *redis.Cmd }

// NoRetry implements redis.Cmder.
func (onceAny) NoRetry() bool { return true }

// repeat says whether go-redis may send a command again after a lost reply.
type repeat bool

const (
	repeatable repeat = true
	atMostOnce repeat = false
)

// eval runs a command made by script.call whose reply is an integer or nil (redis.Nil).
func (c *Client) eval(ctx context.Context, r repeat, s *script, args []any) (int64, error) {
	if r == atMostOnce && c.routing.single {
		if n, err := c.sendRaw(ctx, args); err != errNotPlain {
			return n, err
		}
	}
	n, err := c.sendInt(ctx, r, args)
	if isNoScript(err) {
		n, err = c.sendInt(ctx, r, s.inFull(args))
	}
	return n, err
}

func (c *Client) sendInt(ctx context.Context, r repeat, args []any) (int64, error) {
	cmd := redis.NewIntCmd(ctx, args...)
	if r == repeatable {
		err := c.rdb.Process(ctx, cmd)
		return cmd.Val(), err
	}
	err := c.rdb.Process(ctx, once{cmd})
	return cmd.Val(), err
}

// evalAny is eval, at most once, for replies of any type; nil is redis.Nil.
func (c *Client) evalAny(ctx context.Context, s *script, args []any) (any, error) {
	cmd := onceAny{redis.NewCmd(ctx, args...)}
	err := c.rdb.Process(ctx, cmd)
	if isNoScript(err) {
		cmd = onceAny{redis.NewCmd(ctx, s.inFull(args)...)}
		err = c.rdb.Process(ctx, cmd)
	}
	return cmd.Val(), err
}

// inFull turns EVALSHA into EVAL, which makes the server cache the script.
func (s *script) inFull(args []any) []any {
	full := append([]any{"eval", s.text}, args[2:]...)
	return full
}
