package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"time"

	"github.com/go-redis/redis"

	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// The watchdog keeps a lock however far the clock is advanced, since the lock client uses the server's clock.
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

// A lease of thirty seconds ends without thirty seconds of waiting.
func ExampleServer_Advance() {
	srv, err := server.Start(context.Background(), server.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Addr())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()

	replies := bufio.NewScanner(conn)
	take := func(who string) bool {
		fmt.Fprintf(conn, "SET lock %s NX EX 30\r\n", who)
		return replies.Scan() && replies.Text() == "+OK"
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
