package hashtag

// slots is the number of hash slots of a Redis Cluster.
const slots = 1 << 14

// Slot returns the hash slot of a key in a Redis Cluster.
func Slot(key []byte) int { return int(crc16(Of(key))) % slots }

// crc16 is the checksum of the XMODEM protocol: polynomial 0x1021, from 0.
func crc16(b []byte) (sum uint16) {
	for _, c := range b {
		sum ^= uint16(c) << 8
		for range 8 {
			high := sum&0x8000 != 0
			if sum <<= 1; high {
				sum ^= 0x1021
			}
		}
	}
	return sum
}
