package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"time"

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
