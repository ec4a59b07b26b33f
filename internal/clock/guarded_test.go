package clock

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// A panic in the function of a timer ends only that function, however the timer was set; other timers fire as before.
func TestGuarded_Panic(t *testing.T) {
	var caught []any
	o := NewOffset(Real{})
	g := NewGuarded(o, func() { caught = append(caught, recover()) })
	ran := 0
	g.AfterFunc(time.Hour, func() { panic("first") })
	second := At(g, nil, g.Now().Add(2*time.Hour), func() { ran++; panic("second") })
	g.AfterFunc(3*time.Hour, func() { ran++ })
	o.Advance(4 * time.Hour)
	require.Equal(t, 2, ran)
	At(g, second, g.Now().Add(time.Hour), nil)
	o.Advance(2 * time.Hour)
	require.Equal(t, 3, ran)
	require.Equal(t, []any{"first", "second", nil, "second"}, caught)
	require.NotNil(t, Hold(g))
}
