// Package hashtag finds the hash tag of a key (Redis Cluster specification, hash tags). The lock client puts keys of
// one slot into one call; the store puts them into one shard, although it is not a cluster: Redisson gives all keys of
// a lock the same tag, so that its scripts lock a single shard.
package hashtag

import "bytes"

// Of returns the part of the key between the first { and the next }, or the whole key if there is no such part or it is
// empty. The result aliases the key.
func Of(key []byte) []byte {
	open := bytes.IndexByte(key, '{')
	if open < 0 {
		return key
	}
	length := bytes.IndexByte(key[open+1:], '}')
	if length <= 0 {
		return key
	}
	return key[open+1 : open+1+length]
}
