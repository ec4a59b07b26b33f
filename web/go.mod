module github.com/minilockd/minilockd/web

go 1.26.0

replace github.com/minilockd/minilockd => ../

require (
	github.com/VictoriaMetrics/metrics v1.45.0
	github.com/minilockd/minilockd v0.1.0
)

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/tidwall/btree v1.1.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/redcon v1.6.4 // indirect
	github.com/valyala/fastrand v1.1.0 // indirect
	github.com/valyala/histogram v1.2.0 // indirect
	github.com/yuin/gopher-lua v1.1.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
)
