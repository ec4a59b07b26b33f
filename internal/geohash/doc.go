// Package geohash turns places on earth into numbers that sort by neighbourhood, as Redis does for its geo commands,
// and finds the ranges of numbers in which all places near another one lie.
//
// A cell is a rectangle of the map: both axes are halved step after step, and the bits that say which half are
// interleaved, those of the longitude at the odd positions. With 26 steps a place takes 52 bits, which a double, the
// score of a sorted set, holds exactly. Latitudes end at ±85.05112878°, where the Mercator map of the web does.
//
// Everything is computed in the order in which Redis computes it, with sines that are rounded correctly, so that
// distances have the same digits.
package geohash
