// Package expiry keeps deadlines, in milliseconds, in a hierarchical timing wheel (Varghese and
// Lauck, 1987): setting, moving and dropping a timer cost the same whether there are 10 deadlines or 10,000,000.
//
// # Basics
//
// A [Timer] is a field of what expires, so that setting it allocates nothing. The [Wheel] is passive: it starts no
// goroutine, reads no clock and takes no lock. Its owner calls [Wheel.Next], sleeps until then on a clock of its own
// choice, and calls [Wheel.Advance] with the time of that clock. All times are milliseconds since the Unix epoch, and
// any int64 is a valid one.
//
// # Concurrency
//
// Nothing here may be used by two goroutines at once, not even methods that look like readers: Next sorts the queue.
// The caller holds the lock of the shard that the wheel belongs to; it guards the wheel and every timer set in it.
//
// # Structure
//
// A timer is in one of three places:
//   - in the levels, if it is still to come. A level has 64 slots, and a slot of level n is 64^n ms wide. The
//     level is the highest 6-bit group in which the deadline differs from the wheel's cursor, so the lowest level
//     in use always holds the earliest deadline, and a slot of level 0 holds one millisecond in the order of Set;
//   - in the queue, if Advance has already been past it, or if the wheel has never held more than eight timers: 1,000
//     small servers of 64 shards each must not pay for levels (512 bytes each) that they hardly use;
//   - in the batch, from when Advance takes it from the queue until it expires.
//
// When the cursor enters a slot of a higher level, the timers in it move to lower levels: at most once a level for
// each timer. Time between used slots costs nothing, be it years.
//
// # Caveats
//
// Time may run backwards: no timer expires before its deadline even then, but deadlines that Advance has already
// been past are kept in one sorted list, so a wheel that is full while its clock is set back works, slowly, until the
// clock has caught up. A wheel that is empty when Advance is called follows the clock in either direction.
package expiry
