package hll

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// withElements is a sketch of so many numbers.
func withElements(t testing.TB, count, maxSparse int) Sketch {
	t.Helper()
	s := New()
	for i := range count {
		var err error
		s, _, err = s.Add(strconv.AppendInt(nil, int64(i), 10), maxSparse)
		require.NoError(t, err)
	}
	return s
}

func withHeader(ops string) Sketch { return append(New()[:headerSize], ops...) }

// The expectations are what redis-server 7.0.15 answers to PFDEBUG DECODE and GET.
func TestSketch_Add_MakesTheBytesOfRedis(t *testing.T) {
	s := New()
	require.Equal(t, "HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7f\xff", string(s))
	for _, element := range []string{"x", "y", "z", "foo", "bar"} {
		var changed bool
		var err error
		s, changed, err = s.Add([]byte(element), 3000)
		require.NoError(t, err)
		require.True(t, changed)
	}
	require.Equal(t, "Z:7348 v:5,1 Z:1232 v:1,1 Z:1425 v:1,1 Z:4924 v:3,1 Z:1441 v:2,1 z:9", s.Runs())
	_, changed, err := s.Add([]byte("foo"), 3000)
	require.NoError(t, err)
	require.False(t, changed)
	n, err := s.Estimate()
	require.NoError(t, err)
	require.EqualValues(t, 5, n)
}

func TestSketch_EncodingsAgree(t *testing.T) {
	for _, count := range []int{0, 1, 2, 10, 100, 1000, 5000} {
		loose, packed := withElements(t, count, math.MaxInt), withElements(t, count, 0)
		require.False(t, loose.Dense())
		require.Equal(t, count > 0, packed.Dense())
		converted, err := loose.ToDense()
		require.NoError(t, err)
		if count > 0 {
			require.Equal(t, packed, converted)
		}
		a, err := loose.Estimate()
		require.NoError(t, err)
		b, err := packed.Estimate()
		require.NoError(t, err)
		require.Equal(t, a, b)
		require.InDelta(t, count, float64(a), 1+0.03*float64(count))
	}
}

func TestSketch_TurnsDenseAtTheLimit(t *testing.T) {
	const limit = 500
	s := New()
	for i := 0; !s.Dense(); i++ {
		require.LessOrEqual(t, len(s), limit)
		s, _, _ = s.Add(strconv.AppendInt(nil, int64(i), 10), limit)
	}
	require.Len(t, s, denseSize)
}

func TestSketch_RaiseSparse_ValuesAboveTheOpcodesNeedDense(t *testing.T) {
	s, changed, err := New().raise(7, maxRunValue, math.MaxInt)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, "z:7 v:32,1 Z:16376", s.Runs())
	s, changed, err = s.raise(8, maxRunValue+1, math.MaxInt)
	require.NoError(t, err)
	require.True(t, changed && s.Dense())
	require.EqualValues(t, maxRunValue+1, s.register(8))
}

func TestSketch_RaiseSparse_SplitsAndJoinsRuns(t *testing.T) {
	s := New()
	for _, step := range []struct {
		index int
		value uint8
		runs  string
	}{
		{100, 3, "Z:100 v:3,1 Z:16283"},
		{101, 3, "Z:100 v:3,2 Z:16282"},
		{99, 3, "Z:99 v:3,3 Z:16282"},
		{102, 3, "Z:99 v:3,4 Z:16281"},
		{103, 3, "Z:99 v:3,4 v:3,1 Z:16280"},
		{100, 5, "Z:99 v:3,1 v:5,1 v:3,3 Z:16280"},
		{100, 4, "Z:99 v:3,1 v:5,1 v:3,3 Z:16280"},
		{101, 5, "Z:99 v:3,1 v:5,2 v:3,2 Z:16280"},
		{0, 1, "v:1,1 Z:98 v:3,1 v:5,2 v:3,2 Z:16280"},
		{16383, 1, "v:1,1 Z:98 v:3,1 v:5,2 v:3,2 Z:16279 v:1,1"},
	} {
		s, _, _ = s.raise(step.index, step.value, math.MaxInt)
		require.Equal(t, step.runs, s.Runs(), "%d: %d", step.index, step.value)
	}
}

func TestRegisters_MergeIsTheUnion(t *testing.T) {
	a, b := New(), withElements(t, 0, 0)
	all, err := New().ToDense()
	require.NoError(t, err)
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		element := strconv.AppendInt(nil, rnd.Int64N(4000), 10)
		all, _, _ = all.Add(element, 0)
		if rnd.IntN(2) == 0 {
			a, _, _ = a.Add(element, math.MaxInt)
		} else {
			b, _, _ = b.Add(element, 0)
		}
	}
	var r Registers
	require.NoError(t, r.Merge(a))
	require.NoError(t, r.Merge(b))
	n, err := all.Estimate()
	require.NoError(t, err)
	require.Equal(t, n, r.Estimate())

	a, err = r.Raise(a, math.MaxInt)
	require.NoError(t, err)
	a, err = a.ToDense()
	require.NoError(t, err)
	require.Equal(t, all[headerSize:], a[headerSize:])
}

func TestSketch_Cached(t *testing.T) {
	s := New()
	n, ok := s.Cached()
	require.True(t, ok)
	require.Zero(t, n)
	s.Cache(1 << 40)
	n, ok = s.Cached()
	require.True(t, ok)
	require.Equal(t, uint64(1<<40), n)
	s.Outdate()
	_, ok = s.Cached()
	require.False(t, ok)
}

func TestSketch_CorruptBytesAreRejected(t *testing.T) {
	for _, ops := range []string{"", "\x7f", "\x7f\xfe", "\x7f\xff\x00", "\x7f\xff\x88", "\x7f\xfb\xff\x88",
		"\x7f\xff\x7f"} {
		s := withHeader(ops)
		require.True(t, Valid(s))
		_, err := s.Estimate()
		require.ErrorIs(t, err, ErrCorrupt, "%q", ops)
		_, err = s.ToDense()
		require.ErrorIs(t, err, ErrCorrupt, "%q", ops)
	}
	_, _, err := withHeader("\x05").Add([]byte("x"), 3000)
	require.ErrorIs(t, err, ErrCorrupt)
	for _, b := range []string{"", "HYLL", string(New()[:headerSize-1]), "HYLX" + string(New()[4:]), "HYLL\x02" +
		string(New()[5:]),
		"HYLL\x00" + string(New()[5:])} {
		require.False(t, Valid([]byte(b)), "%q", b)
	}
}

func TestSketch_AnOpcodeThatIsCutOffIsCompleted(t *testing.T) {
	s := withHeader("\x7f\xfe\x40") // 16383 zeros, and one more if the byte that is missing is 0
	before, err := s.Estimate()
	require.NoError(t, err)
	require.Zero(t, before)
	s, changed, err := s.raise(registers-1, 9, 3000)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, "Z:16383 v:9,1", s.Runs())
}

func TestHistogram_Estimate_AllRegistersAtTheirHighest(t *testing.T) {
	var r Registers
	for i := range r {
		r[i] = highest
	}
	require.EqualValues(t, uint64(1)<<63, r.Estimate())
}

func TestSelfTest(t *testing.T) { require.NoError(t, SelfTest()) }

// FuzzSketch takes any bytes for a sketch. Nothing may panic, and what is changed may grow by a few bytes only.
func FuzzSketch(f *testing.F) {
	f.Add([]byte(New()), []byte("x"))
	f.Add([]byte(withHeader("\x7f\xfb\xff\x88")), []byte("y"))
	f.Add([]byte(withHeader("\x80\x84\x80\x7f\xfc\x40")), []byte(""))
	f.Add([]byte(withElements(f, 2000, 0)), []byte("z"))
	f.Fuzz(func(t *testing.T, b, element []byte) {
		if !Valid(b) {
			return
		}
		s := append(Sketch(nil), b...)
		_, estimateErr := s.Estimate()
		_ = s.Runs()
		d, err := s.ToDense()
		require.Equal(t, estimateErr, err)
		if err == nil {
			require.Len(t, d, denseSize)
		}
		larger, _, err := s.Add(element, 3000)
		require.LessOrEqual(t, len(larger), max(len(b)+4, denseSize))
		if estimateErr == nil {
			require.NoError(t, err)
			_, err = larger.Estimate()
			require.NoError(t, err)
		}
	})
}

func BenchmarkSketch_Add(b *testing.B) {
	for name, maxSparse := range map[string]int{"sparse": 3000, "dense": 0} {
		b.Run(name, func(b *testing.B) {
			s, element := withElements(b, 1000, maxSparse), []byte("element 12345678")
			for i := 0; b.Loop(); i++ {
				element[0] = byte(i & 15)
				s, _, _ = s.Add(element, maxSparse)
			}
		})
	}
}
