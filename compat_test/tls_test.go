package compat

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// go-redis connects with what the server has made for its clients, with and without a certificate of its own.
func TestTLS_GoRedis(t *testing.T) {
	for name, options := range map[string]server.Options{
		"with a cipher": {TLS: &server.TLS{},
			Config: "tls-protocols TLSv1.2\ntls-ciphers ECDHE-ECDSA-AES256-GCM-SHA384"},
		"trusts the server":      {TLS: &server.TLS{}},
		"has a certificate":      {TLS: &server.TLS{ClientCerts: true}},
		"at the only address":    {TLS: &server.TLS{Only: true}},
		"with TLS 1.2":           {TLS: &server.TLS{}, Config: "tls-protocols TLSv1.2"},
		"at the port of a line":  {Config: "tls-port 0", TLS: &server.TLS{Addr: "127.0.0.1:0"}},
		"at another address, v6": {Config: "bind 127.0.0.1 ::1", TLS: &server.TLS{}},
	} {
		t.Run(name, func(t *testing.T) {
			srv := server.StartT(t, options)
			rdb := redis.NewClient(&redis.Options{Addr: srv.TLSAddr(), TLSConfig: srv.TLSConfig()})
			defer rdb.Close()
			require.NoError(t, rdb.Set(t.Context(), "k", "v", 0).Err())
			value, err := rdb.Get(t.Context(), "k").Result()
			require.NoError(t, err)
			require.Equal(t, "v", value)
			sub := rdb.Subscribe(t.Context(), "ch")
			defer sub.Close()
			_, err = sub.Receive(t.Context())
			require.NoError(t, err)
			require.NoError(t, rdb.Publish(t.Context(), "ch", "m").Err())
			require.Equal(t, "m", (<-sub.Channel()).Payload)
		})
	}
}
