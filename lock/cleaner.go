package lock

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// An unlock leaves its result in a latch key for as long as it may be repeated. Redisson deletes the key right after
// the reply, with another command; the cleaner deletes many at once, so that lock and unlock stay two commands. A DEL
// of 500 keys takes the server about as long as 20 scripts; with fewer keys, sending it from another goroutine slows
// down a client that locks and unlocks all the time.
const (
	latchLife  = 20 * time.Second // Redisson's is 16 to 20 s
	cleanDelay = time.Second
	maxKeys    = 500
)

// latchMillis is latchLife for the scripts.
var latchMillis any = latchLife.Milliseconds()

// cleaner deletes each latch that is no longer needed.
type cleaner struct {
	c *Client

	mu    lockrank.Mutex[lockrank.LatchCleaner] // guards the rest
	keys  []string
	timer Timer // set while a flush is scheduled
}

func (k *cleaner) init(c *Client) { k.c = c }

// add schedules the deletion of a latch.
func (k *cleaner) add(key string) {
	k.mu.Lock()
	k.keys = append(k.keys, key)
	full := len(k.keys) >= maxKeys
	var keys []string
	if full {
		keys, k.keys = k.keys, make([]string, 0, maxKeys)
	}
	if k.timer == nil && !k.c.closed() {
		k.timer = k.c.clock.AfterFunc(cleanDelay, k.fire)
	}
	k.mu.Unlock()
	if full {
		k.c.background(func() { k.delete(k.c.ctx, keys) })
	}
}

// fire is the function of the timer.
func (k *cleaner) fire() {
	k.mu.Lock()
	k.timer = nil
	k.mu.Unlock()
	k.c.backgroundHeld(k.flush)
}

// flush deletes the latch keys collected so far.
func (k *cleaner) flush(ctx context.Context) {
	k.mu.Lock()
	keys := k.keys
	k.keys = nil
	if k.timer != nil && k.c.closed() {
		k.timer.Stop()
		k.timer = nil
	}
	k.mu.Unlock()
	k.delete(ctx, keys)
}

// delete ignores errors: the keys expire by themselves.
func (k *cleaner) delete(ctx context.Context, keys []string) {
	if len(keys) == 0 {
		return
	}
	if k.c.routing.single {
		_ = k.c.rdb.Del(ctx, keys...).Err()
		return
	}
	_, _ = k.c.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, key := range keys {
			p.Del(ctx, key)
		}
		return nil
	})
}
