package command

// fewItems is the number below which insertion sort is used; a larger piece takes a better sample for its pivot.
const (
	fewItems  = 7
	manyItems = 40
)

// order compares two items; see sortOptions.compare.
type order func(a, b *sortItem) int

// sortPart sorts items as far as the places from start to stop then hold what they should. It is the quicksort of Bentley and
// McIlroy (Engineering a sort function, 1993), passing over pieces outside of the range: not stable, so where the order of
// equal items can be seen it takes this very one to have them as in Redis.
func sortPart(items []sortItem, start, stop int, compare order) {
	for len(items) >= fewItems {
		pivot := choosePivot(items, compare)
		items[0], items[pivot] = items[pivot], items[0]
		less, greater := partition(items, compare)
		if less > 1 && start < less {
			sortPart(items[:less], start, stop, compare)
		}
		skipped := len(items) - greater
		if greater <= 1 || stop <= skipped {
			return
		}
		items, start, stop = items[skipped:], start-skipped, stop-skipped
	}
	for i := 1; i < len(items); i++ {
		for j := i; j > 0 && compare(&items[j-1], &items[j]) > 0; j-- {
			items[j-1], items[j] = items[j], items[j-1]
		}
	}
}

// choosePivot returns the position of the middle item, of a median of three or of a median of three medians.
func choosePivot(items []sortItem, compare order) int {
	low, middle, high := 0, len(items)/2, len(items)-1
	median := func(a, b, c int) int { return medianOf(items, a, b, c, compare) }
	if len(items) > manyItems {
		step := len(items) / 8
		low = median(low, low+step, low+2*step)
		middle = median(middle-step, middle, middle+step)
		high = median(high-2*step, high-step, high)
	}
	if len(items) > fewItems {
		middle = median(low, middle, high)
	}
	return middle
}

func medianOf(items []sortItem, a, b, c int, compare order) int {
	rising := compare(&items[a], &items[b]) < 0
	first, last := a, c
	if !rising {
		first, last = c, a
	}
	switch middleFirst := compare(&items[b], &items[c]); {
	case rising && middleFirst < 0, !rising && middleFirst > 0:
		return b
	case compare(&items[a], &items[c]) < 0:
		return last
	}
	return first
}

// partition moves the items less than the first one to the front, those greater to the end and the rest between them, and
// returns how many are less and how many greater. Equal ones are gathered at both ends at first.
func partition(items []sortItem, compare order) (less, greater int) {
	last := len(items) - 1
	leftEqual, left, right, rightEqual := 1, 1, last, last
	for {
		for ; left <= right; left++ {
			side := compare(&items[left], &items[0])
			if side > 0 {
				break
			}
			if side == 0 {
				items[leftEqual], items[left] = items[left], items[leftEqual]
				leftEqual++
			}
		}
		for ; left <= right; right-- {
			side := compare(&items[right], &items[0])
			if side < 0 {
				break
			}
			if side == 0 {
				items[right], items[rightEqual] = items[rightEqual], items[right]
				rightEqual--
			}
		}
		if left > right {
			break
		}
		items[left], items[right] = items[right], items[left]
		left, right = left+1, right-1
	}
	n := min(leftEqual, left-leftEqual)
	swapBlocks(items[:n], items[left-n:left])
	n = min(rightEqual-right, last-rightEqual)
	swapBlocks(items[left:left+n], items[len(items)-n:])
	return left - leftEqual, rightEqual - right
}

func swapBlocks(a, b []sortItem) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}
