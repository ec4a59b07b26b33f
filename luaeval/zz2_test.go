package luaeval

import (
	"log/slog"
	"os"
	"testing"
)

func TestProbe2(t *testing.T) {
	e := New(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	t.Log(eval(t, e, silent{}, os.Getenv("SRC")))
}
