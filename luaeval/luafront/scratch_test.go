package luafront

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

var deadline time.Time

func differ(t *testing.T, r *reference, s string) bool {
	c := s[len(harness):]
	if strings.Count(c, "F()")+12 < strings.Count(s, "while")+strings.Count(s, "repeat")+strings.Count(s, "function") {
		return false
	}
	b := r.eval(s)
	if strings.Contains(b, "Error compiling") {
		return false
	}
	return eval(t, s) != b
}
func reduce(t *testing.T, r *reference, s string) string {
	w := strings.Fields(strings.ReplaceAll(s, "function(s, i) if", "function(s, i) F() if"))
	deadline = time.Now().Add(60 * time.Second)
	for size := len(w) / 2; size > 0; {
		changed := false
		for i := 0; i+size <= len(w) && time.Now().Before(deadline); {
			c := append(append([]string{}, w[:i]...), w[i+size:]...)
			if differ(t, r, harness+strings.Join(c, " ")) {
				w = c
				changed = true
			} else {
				i++
			}
		}
		if !changed || size > len(w) || time.Now().After(deadline) {
			size /= 2
		}
	}
	return strings.Join(w, " ")
}
func TestScratchPrograms(t *testing.T) {
	r := startReference(t)
	n, _ := strconv.Atoi(os.Getenv("N"))
	if n == 0 {
		n = 500
	}
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	most, _ := strconv.Atoi(os.Getenv("MOST"))
	bad := 0
	lens := 0
	for seed := int64(from); seed < int64(from+n); seed++ {
		s := generate(seed)
		b := r.eval(s)
		a := eval(t, s)
		lens += len(b)
		if a != b {
			bad++; fmt.Println("BAD", seed, len(s))
			if bad <= most {
				m := reduce(t, r, s[len(harness):])
				fmt.Printf("SEED %d\n%s\n  ours  %s\n  redis %s\n", seed, m, eval(t, harness+m), r.eval(harness+m))
			}
		}
	}
	fmt.Println("bad", bad, "avg", lens/n)
}

func TestScratchOne(t *testing.T) {
	r := startReference(t)
	seed, _ := strconv.Atoi(os.Getenv("FROM"))
	s := generate(int64(seed))
	a, b := eval(t, s), r.eval(s)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	fmt.Println(s[len(harness):])
	fmt.Println("COMMON", a[:i])
	fmt.Println("OURS", a[i:])
	fmt.Println("REDIS", b[i:])
}
