package hashtag

// Slots is the number of hash slots of a Redis Cluster.
const Slots = 1 << 14

// Slot returns the hash slot of a key in a Redis Cluster.
func Slot(key []byte) int { return int(crc16(Of(key))) % Slots }

// crc16 is the checksum of the XMODEM protocol: polynomial 0x1021, from 0.
func crc16(b []byte) (sum uint16) {
	for _, c := range b {
		sum = sum<<8 ^ crcOfByte[byte(sum>>8)^c]
	}
	return sum
}

// crcOfByte is the checksum of each single byte.
var crcOfByte = func() (table [256]uint16) {
	for i := range table {
		sum := uint16(i) << 8
		for range 8 {
			high := sum&0x8000 != 0
			if sum <<= 1; high {
				sum ^= 0x1021
			}
		}
		table[i] = sum
	}
	return table
}()
