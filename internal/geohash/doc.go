// Package geohash converts positions to numbers of which close ones are near each other, as Redis does for its geo
// commands, and finds the ranges of numbers that cover an area.
//
// A cell is a rectangle of the map: both axes are halved repeatedly, and the bits that select the half are interleaved,
// those of the longitude at the odd positions. With 26 steps a position has 52 bits, which a double, the score of a
// sorted set, holds exactly. Latitudes end at ±85.05112878°, as in the Web Mercator projection.
//
// All computations are in the same order as in Redis, with correctly rounded sines, so that distances have the same
// digits.
package geohash
