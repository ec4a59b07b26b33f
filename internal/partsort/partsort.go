// Package partsort sorts a part of a slice, in the order in which Redis leaves equal elements.
package partsort

// Compare is negative if a comes before b, positive if behind, and 0 if they are equal.
type Compare[T any] func(a, b *T) int

// fewItems is the number below which insertion sort is used; a larger piece takes a better sample for its pivot.
const (
	fewItems  = 7
	manyItems = 40
)

// Sort sorts items as far as the places from start to stop, stop not included, then hold what they should. It is the
// quicksort of Bentley and McIlroy (Engineering a sort function, 1993), passing over pieces outside of the range: not
// stable, so where the order of equal items can be seen it takes this very one to have them as in Redis.
func Sort[T any](items []T, start, stop int, compare Compare[T]) {
	for len(items) >= fewItems {
		pivot := choosePivot(items, compare)
		items[0], items[pivot] = items[pivot], items[0]
		less, greater := partition(items, compare)
		if less > 1 && start < less {
			Sort(items[:less], start, stop, compare)
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

// choosePivot returns the position of the pivot: the middle item of fewItems items, else the median of the first, the
// middle and the last one, and of more than manyItems the median of three such medians, so that input which is sorted
// already, in either direction, does not take quadratic time.
func choosePivot[T any](items []T, compare Compare[T]) int {
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

// medianOf returns which of the positions a, b and c has the median. Of equal items the order of the comparisons
// decides, and so the order in which equal items are left: it has to be this one.
func medianOf[T any](items []T, a, b, c int, compare Compare[T]) int {
	rising := compare(&items[a], &items[b]) < 0
	first, last := a, c
	if !rising {
		first, last = c, a
	}
	switch side := compare(&items[b], &items[c]); {
	case rising && side < 0, !rising && side > 0:
		return b
	case compare(&items[a], &items[c]) < 0:
		return last
	}
	return first
}

// partition moves the items less than the first one to the front, those greater to the end and the equal ones between
// them, and returns how many are less and how many greater. It first collects equal ones at both ends.
func partition[T any](items []T, compare Compare[T]) (less, greater int) {
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

// swapBlocks exchanges two blocks of the same length. It moves equal items from an end to the middle.
func swapBlocks[T any](a, b []T) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}
