package lock

import (
	"context"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/hashtag"
)

// routing is what depends on the deployment: whether the keys of one call must share a slot, and with which command
// messages are sent.
type routing struct {
	cluster *redis.ClusterClient // nil if it is not a cluster
	single  bool                 // all keys are on one server
	publish atomic.Value         // string: the publish command, once known
}

func (r *routing) init(rdb redis.UniversalClient) {
	_, r.single = rdb.(*redis.Client)
	r.cluster, _ = rdb.(*redis.ClusterClient)
	if r.cluster == nil {
		r.publish.Store("PUBLISH")
	}
}

// group returns the name of the set of keys that may share a call with this one.
func (r *routing) group(key string) string {
	if r.single {
		return ""
	}
	return string(hashtag.Of([]byte(key)))
}

// publishCommand returns PUBLISH, or SPUBLISH in a cluster with sharded channels. Redisson decides in the same way, so
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

// sharded reports whether the cluster has sharded channels.
func (r *routing) sharded(ctx context.Context) (bool, error) {
	command, err := r.publishCommand(ctx)
	return command == "SPUBLISH", err
}
