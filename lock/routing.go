package lock

import (
	"context"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// routing is what differs with the deployment: whether keys of one call must share a slot, and how messages are sent.
type routing struct {
	cluster *redis.ClusterClient // nil if it is none
	single  bool                 // all keys live on one server
	publish atomic.Value         // string: the publish command, once known
}

func (r *routing) init(rdb redis.UniversalClient) {
	_, r.single = rdb.(*redis.Client)
	r.cluster, _ = rdb.(*redis.ClusterClient)
	if r.cluster == nil {
		r.publish.Store("PUBLISH")
	}
}

// group names the keys that may go in one call with this one.
func (r *routing) group(key string) string {
	if r.single {
		return ""
	}
	return hashTag(key)
}

// publishCommand is PUBLISH, or SPUBLISH in a cluster that has sharded channels. Redisson finds out in the same way, so
// that both use the same channels.
func (r *routing) publishCommand(ctx context.Context) (any, error) {
	if known := r.publish.Load(); known != nil {
		return known, nil
	}
	err := r.cluster.Process(ctx, redis.NewCmd(ctx, "pubsub", "shardnumsub"))
	switch {
	case err == nil:
		r.publish.Store("SPUBLISH")
	case isReply(err):
		r.publish.Store("PUBLISH")
	default:
		return nil, err
	}
	return r.publish.Load(), nil
}

// sharded reports whether channels belong to slots.
func (r *routing) sharded(ctx context.Context) (bool, error) {
	command, err := r.publishCommand(ctx)
	return command == "SPUBLISH", err
}
