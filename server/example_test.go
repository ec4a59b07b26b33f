package server_test

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// A lock whose holder is alive is kept, however far the clock is moved: the lock client goes by the server's clock.
func ExampleServer_Clock() {
	ctx := context.Background()
	srv, err := server.Start(ctx, server.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	client := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer client.Close()
	locks := lock.New(client, lock.WithClock(srv.Clock()))
	defer locks.Close()

	watched, err := locks.Mutex("watched").Lock(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	leased, err := locks.Mutex("leased").Lock(ctx, lock.Lease(time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	srv.Advance(time.Hour)
	fmt.Println("watched:", context.Cause(watched.Context()))
	fmt.Println("leased:", context.Cause(leased.Context()))
	fmt.Println("keys:", client.Keys(ctx, "*ed").Val())
	// Output:
	// watched: <nil>
	// leased: lost
	// keys: [watched]
}

// A lock of thirty seconds lapses without thirty seconds of waiting.
func ExampleServer_Advance() {
	ctx := context.Background()
	srv, err := server.Start(ctx, server.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	client := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer client.Close()

	take := func(who string) bool {
		return client.SetArgs(ctx, "lock", who, redis.SetArgs{Mode: "NX", TTL: 30 * time.Second}).Err() == nil
	}
	fmt.Println("A takes it:", take("A"))
	fmt.Println("B takes it:", take("B"))
	srv.Advance(30 * time.Second)
	fmt.Println("B takes it later:", take("B"))
	// Output:
	// A takes it: true
	// B takes it: false
	// B takes it later: true
}
