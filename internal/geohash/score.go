package geohash

import "github.com/minilockd/minilockd/internal/num"

// Score is the number of a valid place, as the score of a sorted set.
func Score(p Point) float64 { return float64(Bits(p)) }

// Bits is the number of a valid place. At the highest longitude it has more bits than a score.
func Bits(p Point) uint64 { return cellOf(p, MaxLat, maxSteps).bits() }

// PointOf is the middle of the cell that a score stands for. Any number is taken for a score.
func PointOf(score float64) Point { return cellOfBits(num.Uint64(score), maxSteps).area().center() }

// Integer is the score as WITHHASH shows it: the number without its fraction, the lowest one where it is out of range.
func Integer(score float64) int64 { return num.Int64(score) }

// alphabet has the digits of geohash.org.
const alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"

// textLength is how many letters Redis gives; there are bits for one less, so the last is always 0.
const textLength = 11

// Text is the geohash of a score as geohash.org writes it. Those end at ±90° of latitude.
func Text(score float64) string {
	bits := cellOf(PointOf(score), 90, maxSteps).bits()
	text := make([]byte, textLength)
	for i := range text {
		letter := uint64(0)
		if i < textLength-1 {
			letter = bits >> (2*maxSteps - 5*(i+1)) & 31
		}
		text[i] = alphabet[letter]
	}
	return string(text)
}
