package admin

// Pub/Sub (Redis documentation: Pub/Sub). package pubsub knows who subscribes to what. A shard channel and a channel
// of the same name are two, and patterns match no shard channel. The rows come in pairs or threes, so most handlers
// are made by a function of the kind of channel.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// subscribeFlags are the flags of the commands that change subscriptions. A RESP2 client with subscriptions may send
// these, and few others.
const subscribeFlags = command.PubSub | command.NoScript | command.Loading | command.Stale | command.InSubscribed

// pubsubCommands are the commands of Pub/Sub. Channels are not keys: the rows say by Channels which arguments ACL
// rules are about.
var pubsubCommands = []command.Command{
	{Name: "subscribe", Usage: "channel [channel ...]", Arity: -2, Flags: subscribeFlags, Since: "2.0.0",
		Channels: command.Channels{Last: -1},
		Summary:  "Listens for messages published to channels.", Run: subscribe(pubsub.Channel, "subscribe")},
	{Name: "psubscribe", Usage: "pattern [pattern ...]", Arity: -2, Flags: subscribeFlags, Since: "2.0.0",
		Channels: command.Channels{Last: -1, Patterns: true},
		Summary:  "Listens for messages published to channels that match one or more patterns.",
		Run:      subscribe(pubsub.Pattern, "psubscribe")},
	{Name: "ssubscribe", Usage: "shardchannel [shardchannel ...]", Arity: -2, Flags: subscribeFlags, Since: "7.0.0",
		Specs:    []command.KeySpec{{Index: 1, Last: -1, Access: "not_key"}},
		Channels: command.Channels{Last: -1},
		Summary:  "Listens for messages published to shard channels.", Run: subscribe(pubsub.Shard, "ssubscribe")},
	{Name: "unsubscribe", Usage: "[channel [channel ...]]", Arity: -1, Flags: subscribeFlags, Since: "2.0.0",
		Summary: "Stops listening to messages posted to channels.", Run: unsubscribe(pubsub.Channel, "unsubscribe")},
	{Name: "punsubscribe", Usage: "[pattern [pattern ...]]", Arity: -1, Flags: subscribeFlags, Since: "2.0.0",
		Summary: "Stops listening to messages published to channels that match one or more patterns.",
		Run:     unsubscribe(pubsub.Pattern, "punsubscribe")},
	{Name: "sunsubscribe", Usage: "[shardchannel [shardchannel ...]]", Arity: -1, Flags: subscribeFlags, Since: "7.0.0",
		Specs:   []command.KeySpec{{Index: 1, Last: -1, Access: "not_key"}},
		Summary: "Stops listening to messages posted to shard channels.",
		Run:     unsubscribe(pubsub.Shard, "sunsubscribe")},
	{Name: "publish", Usage: "channel message", Arity: 3,
		Flags: command.PubSub | command.Loading | command.Stale | command.Fast | command.MayReplicate, Since: "2.0.0",
		Channels: command.Channels{Last: 1},
		Summary:  "Posts a message to a channel.", Run: publish(pubsub.Channel)},
	{Name: "spublish", Usage: "shardchannel message", Arity: 3,
		Flags: command.PubSub | command.Loading | command.Stale | command.Fast | command.MayReplicate, Since: "7.0.0",
		Specs: []command.KeySpec{{Index: 1, Access: "not_key"}}, Channels: command.Channels{Last: 1},
		Summary: "Posts a message to a shard channel.", Run: publish(pubsub.Shard)},
	{Name: "pubsub", Arity: -2, Since: "2.8.0", Summary: "A container for Pub/Sub commands.", Sub: []command.Command{
		{Name: "channels", Usage: "[pattern]", Arity: -2, Flags: command.PubSub | command.Loading | command.Stale,
			Since:   "2.8.0",
			Summary: "Returns the active channels.", Run: pubsubChannels(pubsub.Channel)},
		{Name: "shardchannels", Usage: "[pattern]", Arity: -2, Flags: command.PubSub | command.Loading | command.Stale,
			Since:   "7.0.0",
			Summary: "Returns the active shard channels.", Run: pubsubChannels(pubsub.Shard)},
		{Name: "numsub", Usage: "[channel [channel ...]]", Arity: -2,
			Flags: command.PubSub | command.Loading | command.Stale, Since: "2.8.0",
			Summary: "Returns a count of subscribers to channels.", Run: pubsubNumSub(pubsub.Channel)},
		{Name: "shardnumsub", Usage: "[shardchannel [shardchannel ...]]", Arity: -2,
			Flags: command.PubSub | command.Loading | command.Stale, Since: "7.0.0",
			Summary: "Returns the count of subscribers of shard channels.", Run: pubsubNumSub(pubsub.Shard)},
		{Name: "numpat", Arity: 2, Flags: command.PubSub | command.Loading | command.Stale, Since: "2.8.0",
			Summary: "Returns a count of unique pattern subscriptions.", Run: pubsubNumPat},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "6.2.0",
			Summary: "Returns helpful text about the different subcommands.", Run: command.Help},
	}},
}

// errShardNested is the error of SSUBSCRIBE within EXEC, where SUBSCRIBE is allowed, as in Redis.
var errShardNested = errors.New("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client")

// subscribe returns the handler of SUBSCRIBE, PSUBSCRIBE or SSUBSCRIBE. The call has one reply for each name, a push
// in RESP3, with the number of subscriptions after it. Repeated names have one each.
func subscribe(k pubsub.Kind, verb string) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		if k == pubsub.Shard && c.Nested() {
			return c.Fail(errShardNested)
		}
		replies := make([]resp.Value, 0, c.Len()-1)
		c.Session.Subscribe(k, command.Strings(c.Rest(1)), func(name string, count int) {
			replies = append(replies, subscription(verb, resp.BulkString(name), count))
		})
		return resp.Series(replies...)
	}
}

// subscription returns the reply that confirms a change of the subscriptions: the verb, the name and the number of
// subscriptions that there are now.
func subscription(verb string, name resp.Value, count int) resp.Value {
	return resp.Push(resp.BulkString(verb), name, resp.Int(int64(count)))
}

// unsubscribe returns the handler of UNSUBSCRIBE, PUNSUBSCRIBE or SUNSUBSCRIBE. Without names it ends all
// subscriptions of the kind; if there are none, the one reply has null for a name. A name that is not subscribed to
// has a reply as well.
func unsubscribe(k pubsub.Kind, verb string) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		names := c.Session.Subscriptions(k)
		if c.Len() > 1 {
			names = command.Strings(c.Rest(1))
		}
		replies := make([]resp.Value, 0, len(names)+1)
		c.Session.Unsubscribe(k, names, func(name string, count int) {
			replies = append(replies, subscription(verb, resp.BulkString(name), count))
		})
		if len(names) == 0 {
			replies = append(replies, subscription(verb, resp.Null, c.Session.CountSubscriptions(k)))
		}
		return resp.Series(replies...)
	}
}

// publish returns the handler of PUBLISH or SPUBLISH, which returns the number of clients that get the message. It is
// sent when the transaction commits: within EXEC all messages come after the last command.
func publish(k pubsub.Kind) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		c.PropagateItself()
		return resp.Int(int64(c.Publish(k, c.Arg(1), c.Arg(2))))
	}
}

// pubsubChannels returns the handler of PUBSUB CHANNELS or SHARDCHANNELS [pattern]: the channels with subscribers.
// Patterns that are subscribed to are not among them.
func pubsubChannels(k pubsub.Kind) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		if c.Len() > 3 {
			return c.Fail(command.ErrSubcommandArity(c))
		}
		pattern := "*"
		if c.Len() == 3 {
			pattern = string(c.Arg(2))
		}
		return resp.Strings(c.Env().PubSub.Channels(k, pattern))
	}
}

// pubsubNumSub returns the handler of PUBSUB NUMSUB or SHARDNUMSUB [channel [channel ...]]: each name and its number
// of subscribers, without those of patterns. Without names the list is empty.
func pubsubNumSub(k pubsub.Kind) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		counts := make([]resp.Value, 0, 2*c.Len())
		for _, name := range c.Rest(2) {
			counts = append(counts, resp.Bulk(name), resp.Int(int64(c.Env().PubSub.Subscribers(k, string(name)))))
		}
		return resp.Array(counts...)
	}
}

// pubsubNumPat returns the number of different patterns that clients subscribe to: PUBSUB NUMPAT.
func pubsubNumPat(c *command.Call) resp.Value { return resp.Int(int64(c.Env().PubSub.Patterns())) }
