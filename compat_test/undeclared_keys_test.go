package compat

import (
	"fmt"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// flashSale has no KEYS: it derives the names of its keys from ARGV, as the script of a well-known tutorial does. It
// returns 0: ordered, 1: sold out, 2: this user has ordered before.
var flashSale = redis.NewScript(`
	local stock, buyers = 'seckill:stock:' .. ARGV[1], 'seckill:order:' .. ARGV[1]
	if tonumber(redis.call('get', stock)) <= 0 then return 1 end
	if redis.call('sismember', buyers, ARGV[2]) == 1 then return 2 end
	redis.call('incrby', stock, -1)
	redis.call('sadd', buyers, ARGV[2])
	redis.call('xadd', 'stream.orders', '*', 'userId', ARGV[2], 'voucherId', ARGV[1], 'id', ARGV[3])
	return 0`)

func TestUndeclaredKeys_FlashSale(t *testing.T) {
	const clients, triesEach, items = 100, 3, 50
	srv := server.StartT(t)
	ctx := t.Context()
	admin := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer admin.Close()
	require.NoError(t, admin.Set(ctx, "seckill:stock:7", items, 0).Err())

	var mu sync.Mutex
	results := map[int64]int{}
	var buyers sync.WaitGroup
	for i := range clients {
		buyers.Go(func() {
			client := redis.NewClient(&redis.Options{Addr: srv.Addr(), PoolSize: 1})
			defer client.Close()
			for try := range triesEach {
				result, err := flashSale.Run(ctx, client, nil, "7", fmt.Sprint("user", i), fmt.Sprint(i, "-", try)).Int64()
				mu.Lock()
				if err != nil {
					t.Errorf("client %d: %v", i, err)
				}
				results[result]++
				mu.Unlock()
			}
		})
	}
	buyers.Wait()

	require.Equal(t, items, results[0], "orders")
	require.Equal(t, clients*triesEach, results[0]+results[1]+results[2])
	require.EqualValues(t, items, admin.SCard(ctx, "seckill:order:7").Val())
	require.EqualValues(t, items, admin.XLen(ctx, "stream.orders").Val())
	require.Equal(t, "0", admin.Get(ctx, "seckill:stock:7").Val())
}
