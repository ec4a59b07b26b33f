package control

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// source is the database of a transaction that holds the shards of what is read.
type source struct {
	tx  *store.Tx
	env *command.Env
}

// Now implements lockview.Source.
func (s source) Now(context.Context) (time.Time, error) { return s.tx.Time(), nil }

// Names implements lockview.Source.
func (s source) Names(context.Context) (names []string, err error) {
	names = make([]string, 0, s.tx.Size(s.tx.DB()))
	s.tx.Each(func(key []byte, _ store.Entry) bool {
		names = append(names, string(key))
		return true
	})
	return names, nil
}

// Read implements lockview.Source.
func (s source) Read(_ context.Context, names []string, f func(i int, v lockview.Value)) error {
	for i, name := range names {
		f(i, lockview.ReadKey(s.tx, name))
	}
	return nil
}

// Subscribers implements lockview.Source.
func (s source) Subscribers(context.Context) (map[string][]locks.Client, error) {
	channels := make(map[string][]locks.Client)
	for _, channel := range s.env.PubSub.Channels(pubsub.Channel, "redisson_*") {
		for _, to := range s.env.PubSub.To(pubsub.Channel, channel) {
			if session, ok := to.Owner.(*command.Session); ok {
				channels[channel] = append(channels[channel], conn{session}.Describe())
			}
		}
	}
	return channels, nil
}
