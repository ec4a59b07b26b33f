module github.com/minilockd/minilockd

go 1.26.0

require (
	github.com/tidwall/redcon v1.6.4
	github.com/yuin/gopher-lua v1.1.2
	github.com/zeebo/xxh3 v1.1.0
)

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/tidwall/btree v1.1.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
