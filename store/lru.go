package store

import "math/rand/v2"

// The LRU clock of a key is 32 bits that mean one of two things, as in Redis: the second of the last use, or, under a
// policy that counts uses (LFU), the minute of the last use and a counter that grows with the logarithm of their
// number. Keys that were marked under another policy look older or newer than they are until they are used again.

const (
	lfuCounterBits = 8
	lfuCounterMax  = 1<<lfuCounterBits - 1
	lfuMinutes     = 1<<16 - 1 // minutes are counted modulo 2^16
	lfuInit        = 5         // of a new key, which should not be evicted first (Redis: LFU_INIT_VAL)
)

// markUsed marks a key as used now. The node is written to only if that changes it: a write would cost other cores
// the cache line.
func (tx *Tx) markUsed(n *node[item], mode Mode) {
	if tx.quiet && mode&AlwaysTouch == 0 {
		return
	}
	was, now := n.val.lru(), uint32(tx.Now()/1000)
	if tx.limits.Policy.lfu() {
		now = tx.lfuClock(tx.lfuUsed(tx.lfuCounter(was)))
	}
	if was != now {
		if tx.mayRestart {
			tx.undo.saveLRU(n)
		}
		n.val.setLRU(now)
	}
}

// newLRU is the LRU clock of a new key.
func (tx *Tx) newLRU() uint32 {
	if tx.limits.Policy.lfu() {
		return tx.lfuClock(lfuInit)
	}
	return uint32(tx.Now() / 1000)
}

func (tx *Tx) lfuClock(counter uint32) uint32 { return tx.ages().lfuMinute()<<lfuCounterBits | counter }

// lfuCounter is the counter of an LRU clock, less what has decayed.
func (tx *Tx) lfuCounter(lru uint32) uint32 { return tx.ages().lfuCounter(lru) }

// ages tells what LRU clocks mean in the transaction.
func (tx *Tx) ages() ages { return ages{tx.Now(), tx.limits} }

// lfuUsed is the counter after one more use: the higher it is, the less likely it grows.
func (tx *Tx) lfuUsed(counter uint32) uint32 {
	if counter == lfuCounterMax {
		return counter
	}
	above := float64(max(counter, lfuInit) - lfuInit)
	if rand.Float64() < 1/(above*float64(tx.limits.LFULogFactor)+1) {
		counter++
	}
	return counter
}

// SetQuiet says whether lookups and changes leave the LRU clock of keys alone (CLIENT NO-TOUCH command page).
func (tx *Tx) SetQuiet(quiet bool) { tx.quiet = quiet }

// Idle is for how many seconds a key has not been used. It is meaningless under a policy that counts uses.
func (tx *Tx) Idle(e Entry) int64 { return tx.ages().idle(e.n.val.lru()) }

// LRU is the LRU clock of a key as Redis keeps it, in 24 bits.
func (tx *Tx) LRU(e Entry) uint32 { return e.n.val.lru() & (1<<24 - 1) }

// Frequency is the logarithmic count of the uses of a key, 0 to 255. It is meaningless unless the policy counts them.
func (tx *Tx) Frequency(e Entry) int64 { return int64(tx.lfuCounter(e.n.val.lru())) }

// SetIdle makes a key look as if it had not been used for so many seconds (RESTORE with IDLETIME), unless the policy
// counts uses. It does nothing if there is no such key.
func (tx *Tx) SetIdle(key []byte, seconds int64) {
	if e := tx.findLive(key); e.n != nil && !tx.limits.Policy.lfu() {
		e.n.val.setLRU(uint32(max(0, tx.Now()/1000-max(0, seconds))))
	}
}

// SetFrequency sets the count of the uses of a key, 0 to 255 (RESTORE with FREQ), if the policy counts them. It does
// nothing if there is no such key.
func (tx *Tx) SetFrequency(key []byte, count uint8) {
	if e := tx.findLive(key); e.n != nil && tx.limits.Policy.lfu() {
		e.n.val.setLRU(tx.lfuClock(uint32(count)))
	}
}
