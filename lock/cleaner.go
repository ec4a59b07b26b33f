package lock

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// An unlock leaves its result in a latch key for as long as it may be repeated. Redisson deletes the key right after the
// reply, with a command of its own; the cleaner does it for many at once, so that lock and unlock stay two commands. A command
// for 500 keys takes the server about as long as twenty scripts; for fewer, what it costs to send it from another goroutine is
// felt by who locks and unlocks all the time.
const (
	latchLife  = 20 * time.Second // Redisson's is 16 to 20 s
	broomDelay = time.Second
	broomful   = 500
)

// latchMillis is latchLife as the scripts take it.
var latchMillis any = latchLife.Milliseconds()

// cleaner deletes latches that have done their service.
type cleaner struct {
	c *Client

	mu    sync.Mutex // guards the rest
	keys  []string
	timer Timer // set while a sweep is due
}

func (b *cleaner) init(c *Client) { b.c = c }

// add has a latch deleted soon.
func (b *cleaner) add(key string) {
	b.mu.Lock()
	b.keys = append(b.keys, key)
	full := len(b.keys) >= broomful
	var keys []string
	if full {
		keys, b.keys = b.keys, make([]string, 0, broomful)
	}
	if b.timer == nil && !b.c.closed() {
		b.timer = b.c.clock.AfterFunc(broomDelay, b.sweep)
	}
	b.mu.Unlock()
	if full {
		b.c.background(func() { b.delete(b.c.ctx, keys) })
	}
}

// sweep is the timer's call.
func (b *cleaner) sweep() {
	b.mu.Lock()
	b.timer = nil
	b.mu.Unlock()
	b.c.backgroundHeld(b.flush)
}

// flush deletes what has been collected.
func (b *cleaner) flush(ctx context.Context) {
	b.mu.Lock()
	keys := b.keys
	b.keys = nil
	if b.timer != nil && b.c.closed() {
		b.timer.Stop()
		b.timer = nil
	}
	b.mu.Unlock()
	b.delete(ctx, keys)
}

// delete is done as well as can be: what it fails to delete lapses by itself.
func (b *cleaner) delete(ctx context.Context, keys []string) {
	if len(keys) == 0 {
		return
	}
	if b.c.routing.single {
		_ = b.c.rdb.Del(ctx, keys...).Err()
		return
	}
	_, _ = b.c.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, key := range keys {
			p.Del(ctx, key)
		}
		return nil
	})
}
