module github.com/minilockd/minilockd/packaging

go 1.26.0

require github.com/minilockd/minilockd v0.1.0

replace github.com/minilockd/minilockd => ../
