package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func setMembers(s *Set) []string {
	members := []string{}
	s.Each(func(member []byte) bool {
		members = append(members, string(member))
		return true
	})
	return members
}

// TestSet_RandomChanges_LikeAMap covers each of the forms and the ways between them.
func TestSet_RandomChanges_LikeAMap(t *testing.T) {
	for name, member := range map[string]func(n int) string{
		"integers": func(n int) string { return fmt.Sprint(n - 50) },
		"words":    func(n int) string { return fmt.Sprint("m", n) },
		"integers, then words": func(n int) string {
			if n < 60 {
				return fmt.Sprint(n)
			}
			return fmt.Sprint("m", n)
		},
	} {
		for _, size := range []int{40, 90, 500, 3000} {
			t.Run(fmt.Sprintf("%d %s", size, name), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(1, uint64(size)))
				s, model := NewSet(), map[string]bool{}
				for step := range 3 * size {
					m := member(rnd.IntN(1 + size*(step+1)/(3*size)))
					require.Equal(t, model[m], s.Has([]byte(m)), m)
					if rnd.IntN(3) > 0 {
						require.Equal(t, !model[m], s.Add([]byte(m)), m)
						model[m] = true
					} else {
						require.Equal(t, model[m], s.Remove([]byte(m)), m)
						delete(model, m)
					}
					require.Equal(t, len(model), s.Len())
				}
				members := setMembers(s)
				require.Len(t, members, len(model))
				for _, m := range members {
					require.True(t, model[m], m)
				}
			})
		}
	}
}

func TestSet_Integers_AscendUntilTheThreshold(t *testing.T) {
	s := NewSet()
	for _, n := range []string{"10", "-7", "9", "9223372036854775807", "-9223372036854775808", "0"} {
		s.Add([]byte(n))
	}
	require.Equal(t, []string{"-9223372036854775808", "-7", "0", "9", "10", "9223372036854775807"}, setMembers(s))
	require.True(t, s.Packed())
	for _, word := range []string{"+1", "01", "-0", "", "9223372036854775808", " 1"} {
		other := s.Clone().(*Set)
		require.True(t, other.Add([]byte(word)), "%q is not an integer as Redis prints it", word)
		require.False(t, other.Packed())
		require.True(t, other.Has([]byte(word)))
		require.True(t, other.Has([]byte("-7")))
	}
	for i := range 512 - s.Len() {
		s.Add(fmt.Append(nil, 100+i))
	}
	require.True(t, s.Packed())
	s.Add([]byte("99"))
	require.False(t, s.Packed())
	require.Equal(t, 512+1, s.Len())
}

func TestSet_Words_InOrderOfInsertionUntilTheThreshold(t *testing.T) {
	s := NewSet()
	for i := range int(defaultThresholds.SetEntries.Load()) {
		s.Add(fmt.Append(nil, "m", i))
	}
	require.Equal(t, "m0 m1 m2", strings.Join(setMembers(s)[:3], " "))
	require.Equal(t, setPacked, s.form)
	s.Add([]byte("m0"))
	require.Equal(t, setPacked, s.form)
	s.Add([]byte("one more"))
	require.Equal(t, setInTable, s.form)

	s = NewSet()
	s.Add([]byte("1"))
	s.Add([]byte(strings.Repeat("m", int(defaultThresholds.SetValue.Load())+1)))
	require.Equal(t, setInTable, s.form)
	require.True(t, s.Has([]byte("1")))
}

func TestSet_Sample_DifferentMembers(t *testing.T) {
	for _, prefix := range []string{"", "m"} {
		for _, size := range []int{5, 100, 2000} {
			s := NewSet()
			for i := range size {
				s.Add(fmt.Append(nil, prefix, i))
			}
			for _, count := range []int{1, size / 4, size - 1, size, size + 5} {
				seen := map[string]bool{}
				s.Sample(count, func(member []byte) {
					require.True(t, s.Has(member))
					seen[string(member)] = true
				})
				require.Len(t, seen, min(count, size))
			}
			require.True(t, s.Has(s.Random()))
		}
	}
}

func TestSet_Clone_IsIndependent(t *testing.T) {
	for _, members := range [][]string{{"1", "2"}, {"a", "b"}, {strings.Repeat("x", 100), "y"}} {
		s := NewSet()
		for _, m := range members {
			s.Add([]byte(m))
		}
		c := s.Clone().(*Set)
		c.Remove([]byte(members[0]))
		c.Add([]byte("3"))
		require.Equal(t, 2, s.Len())
		require.True(t, s.Has([]byte(members[0])))
		require.False(t, s.Has([]byte("3")))
	}
}

func TestSet_Scan_FindsEveryMember(t *testing.T) {
	s := NewSet()
	for i := range 5000 {
		s.Add(fmt.Append(nil, "m", i))
	}
	seen, rounds := map[string]bool{}, 0
	for cursor := uint64(0); ; rounds++ {
		cursor = s.Scan(cursor, 100, func(member []byte) { seen[string(member)] = true })
		if cursor == 0 {
			break
		}
	}
	require.Len(t, seen, 5000)
	require.Greater(t, rounds, 10)
}
