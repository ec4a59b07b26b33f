package web

import "github.com/prometheus/client_golang/prometheus"

// namespace begins the name of each metric of the server.
const namespace = "minilockd"

var descConnections = prometheus.NewDesc(namespace+"_connections_total", "Accepted connections.", nil, nil)
