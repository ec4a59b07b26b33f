package compat

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// criticalSection are what is done in the critical sections of a race: the Go half of redisson/…/interop/Laps.java.
type criticalSection struct {
	rdb    *redis.Client
	name   string
	result int // see lockThread.race
}

// assemble waits until all who take part are there.
func (l *criticalSection) assemble(threads int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	there, err := l.rdb.Incr(ctx, "present:"+l.name).Result()
	for err == nil && there < threads {
		time.Sleep(time.Millisecond)
		there, err = l.rdb.Get(ctx, "present:"+l.name).Int64()
	}
	return err
}

func (l *criticalSection) run(verb string, most int, token int64) error {
	if token != 0 {
		if err := l.compare(token); err != nil {
			return err
		}
	}
	switch verb {
	case "count":
		return l.count()
	case "read":
		return l.read()
	default:
		return l.clientGroup(most)
	}
}

// count counts up by reading and writing, which only mutual exclusion makes safe.
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

// read expects that nobody counts meanwhile.
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

// clientGroup expects that no more than so many are inside at once.
func (l *criticalSection) clientGroup(most int) error {
	ctx := context.Background()
	now, err := l.rdb.Incr(ctx, "inside:"+l.name).Result()
	if err != nil {
		return err
	}
	if now > int64(most) {
		return fmt.Errorf("%d are inside, %d may be", now, most)
	}
	l.result = max(l.result, int(now))
	return l.rdb.Decr(ctx, "inside:"+l.name).Err()
}

// compare expects a fencing token to be larger than that of the section before.
func (l *criticalSection) compare(token int64) error {
	before, err := l.number("token:")
	if err != nil {
		return err
	}
	if before >= token {
		return fmt.Errorf("token %d is not larger than %d, the one before", token, before)
	}
	return l.rdb.Set(context.Background(), "token:"+l.name, token, 0).Err()
}

func (l *criticalSection) number(prefix string) (int64, error) {
	return l.rdb.Get(context.Background(), prefix+l.name).Int64()
}
