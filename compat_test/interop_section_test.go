package compat

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// criticalSection is the critical section in which Go and Java threads contend: the Go half of
// redisson/…/interop/CriticalSection.java. Its keys are named after the lock.
type criticalSection struct {
	rdb    *redis.Client
	name   string
	result int // see lockThread.race
}

// awaitOthers waits until all threads of the race are there.
func (l *criticalSection) awaitOthers(threads int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), messageTimeout)
	defer cancel()
	present, err := l.rdb.Incr(ctx, "arrived:"+l.name).Result()
	for err == nil && present < threads {
		time.Sleep(time.Millisecond)
		present, err = l.rdb.Get(ctx, "arrived:"+l.name).Int64()
	}
	return err
}

func (l *criticalSection) run(verb string, limit int, token int64) error {
	if token != 0 {
		if err := l.checkToken(token); err != nil {
			return err
		}
	}
	switch verb {
	case "count":
		return l.count()
	case "read":
		return l.read()
	default:
		return l.checkLimit(limit)
	}
}

// count increments the counter by a read and a write, which needs mutual exclusion.
func (l *criticalSection) count() error {
	ctx := context.Background()
	before, err := l.number("counter:")
	if err != nil {
		return err
	}
	readers, err := l.number("readers:")
	if err != nil {
		return err
	}
	if readers != 0 {
		return fmt.Errorf("%d readers are inside with a writer", readers)
	}
	last, err := l.rdb.SetArgs(ctx, "last:"+l.name, "go", redis.SetArgs{Get: true}).Result()
	if err != nil && err != redis.Nil {
		return err
	}
	if last != "go" {
		l.result++
	}
	return l.rdb.Set(ctx, "counter:"+l.name, before+1, 0).Err()
}

// read expects that the counter does not change in the meantime.
func (l *criticalSection) read() error {
	ctx := context.Background()
	if err := l.rdb.Incr(ctx, "readers:"+l.name).Err(); err != nil {
		return err
	}
	before, err := l.number("counter:")
	if err != nil {
		return err
	}
	after, err := l.number("counter:")
	if err != nil {
		return err
	}
	if before != after {
		return fmt.Errorf("a writer is inside with a reader")
	}
	return l.rdb.Decr(ctx, "readers:"+l.name).Err()
}

// checkLimit expects that at most limit threads are inside at once.
func (l *criticalSection) checkLimit(limit int) error {
	ctx := context.Background()
	now, err := l.rdb.Incr(ctx, "inside:"+l.name).Result()
	if err != nil {
		return err
	}
	if now > int64(limit) {
		return fmt.Errorf("%d threads are inside, the limit is %d", now, limit)
	}
	l.result = max(l.result, int(now))
	return l.rdb.Decr(ctx, "inside:"+l.name).Err()
}

// checkToken expects a fencing token to be larger than the previous one.
func (l *criticalSection) checkToken(token int64) error {
	before, err := l.number("token:")
	if err != nil {
		return err
	}
	if before >= token {
		return fmt.Errorf("token %d is not larger than %d, the previous one", token, before)
	}
	return l.rdb.Set(context.Background(), "token:"+l.name, token, 0).Err()
}

func (l *criticalSection) number(prefix string) (int64, error) {
	return l.rdb.Get(context.Background(), prefix+l.name).Int64()
}
