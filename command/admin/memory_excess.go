package admin

import "fmt"

// memoryExcess compares two sizes of memory, of which one contains the other. INFO and MEMORY STATS have the ratio and
// the difference of each such pair.
type memoryExcess func(r *infoReport) (all, part int64)

var (
	heapUnused   memoryExcess = func(r *infoReport) (all, part int64) { return r.heap().active, r.heap().allocated }
	heapResident memoryExcess = func(r *infoReport) (all, part int64) { return r.heap().resident, r.heap().active }
	outsideHeap  memoryExcess = func(r *infoReport) (all, part int64) { return r.memory().resident, r.heap().resident }
	notCounted   memoryExcess = func(r *infoReport) (all, part int64) { return r.memory().resident, r.memory().used }
)

// share is all / part, as a float64; a part below 1 counts as 1.
func (e memoryExcess) share(r *infoReport) float64 {
	all, part := e(r)
	return float64(all) / float64(max(part, 1))
}

// ratio, ratioText and bytes are values of an infoField.
func (e memoryExcess) ratio(r *infoReport) any     { return e.share(r) }
func (e memoryExcess) ratioText(r *infoReport) any { return fmt.Sprintf("%.2f", e.share(r)) }

func (e memoryExcess) bytes(r *infoReport) any {
	all, part := e(r)
	return all - part
}
