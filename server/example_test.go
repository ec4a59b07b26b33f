package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"time"

	"github.com/minilockd/minilockd/journal"
	"github.com/minilockd/minilockd/server"
)

// A lock of thirty seconds lapses without thirty seconds of waiting. Any client of Redis does what this one does.
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

// A test can ask the server itself, without a client library and without a network.
func ExampleServer_Do() {
	ctx := context.Background()
	srv, err := server.Start(ctx, server.Options{InMemory: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	fmt.Println(srv.Do(ctx, "HSET", "lock", "owner:1", 2).Int())
	fmt.Println(srv.Do(ctx, "HGETALL", "lock").Map())
	fmt.Println(srv.Do(ctx, "SET", "lock", "me", "NX").Bool())
	fmt.Println(srv.Do(ctx, "INCR", "lock").Err())
	// Output:
	// 1 <nil>
	// map[owner:1:2] <nil>
	// false <nil>
	// WRONGTYPE Operation against a key holding the wrong kind of value
}

// A test waits until another goroutine has come to a command, and then asserts on what it has sent.
func ExampleServer_Commands() {
	ctx := context.Background()
	srv, err := server.Start(ctx, server.Options{InMemory: true, Journal: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	done := make(chan server.Result)
	go func() { done <- srv.Do(ctx, "BLPOP", "queue", 0) }()
	waiting, err := srv.Commands().WaitFor(ctx, journal.Match("BLPOP queue *"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(waiting.Line())
	srv.Do(ctx, "RPUSH", "queue", "job")
	fmt.Println(<-done)
	fmt.Println(srv.Commands().Count("rpush"))
	// Output:
	// BLPOP queue 0
	// ["queue" "job"]
	// 1
}
