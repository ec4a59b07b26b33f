/**
 * A Redis server for tests, in a process of its own: `start` starts one on a free port.
 *
 * @packageDocumentation
 */
export { Clock } from './clock.js';
export { connect } from './connect.js';
export { Control } from './control.js';
export { ConnectionLostError, MinilockdError, ReplyError, ServerClosedError, StartError } from './errors.js';
export type {
  CallFault,
  CallRule,
  ConnectionRule,
  DelayFault,
  FaultRule,
  FaultSelection,
  MessageRule,
  ThrottleFault,
} from './fault-rule.js';
export { Fault, Faults, FaultState } from './faults.js';
export { Journal, JournalEntry, type JournalFilter } from './journal.js';
export { LockEvent, type LockEventType, LockWait } from './lock-events.js';
export { Holder, Lock, LockClient, type LockKind, type LockMode, Waiter } from './lock-values.js';
export { HeldLocksError, type Locks } from './locks.js';
export type { ConfigValue, StartOptions } from './options.js';
export type { Reply } from './reply.js';
export type { Argument } from './resp-writer.js';
export { Server, start, type TlsAddress } from './server.js';
export { Snapshot } from './snapshot.js';
