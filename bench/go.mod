module github.com/minilockd/minilockd/bench

go 1.26.0

replace github.com/minilockd/minilockd => ../

require (
	github.com/alicebob/miniredis/v2 v2.40.0
	github.com/minilockd/minilockd v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	golang.org/x/sys v0.48.0
)

require (
	github.com/tidwall/btree v1.1.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/redcon v1.6.4 // indirect
	github.com/yuin/gopher-lua v1.1.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
