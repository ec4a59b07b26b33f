import { assertKnownKeys, given } from './known-keys.js';
import type { Argument } from './resp-writer.js';

/** Which of the calls, messages or connections that fit a rule it hits; without any of these, all. */
export interface FaultSelection {
  /** The n-th only. Excludes `every` and `probability`. */
  nth?: number;
  /** The k-th, and every k-th from there on. */
  every?: number;
  /** Each with that probability, greater than 0, at most 1. */
  probability?: number;
  /** With the same seed, greater than 0, `probability` and a random delay choose the same again. */
  seed?: number;
  /** No more than that many. */
  times?: number;
  /** Only while the server's clock shows this time, a Date or milliseconds since 1970, or a later one. */
  from?: Date | number;
  /** Only while the server's clock shows a time before this one. */
  until?: Date | number;
  /** Only those of a client: its id, or a pattern for its name or address. That of a message is its publisher. */
  client?: number | string;
}

/** A rule about calls. Without a condition every call fits, those that client libraries make by themselves included. */
export interface CallRule extends FaultSelection {
  /** The name of a command: `evalsha`, `config|get`, or an ACL category: `@write`. */
  command?: string;
  /** A pattern, as of KEYS, for one of the call's keys. */
  key?: string;
  /** The SHA-1 of the script that the call runs, or the name of its function. */
  script?: string;
  /** Whether the calls are those of scripts instead of clients. */
  scripted?: boolean;
  /** The least age of the client's connection, in milliseconds. */
  age?: number;
  channel?: never;
  connect?: never;
  then: CallFault;
}

/** A rule about messages, of PUBLISH and SPUBLISH and keyspace events. */
export interface MessageRule extends FaultSelection {
  /** A pattern for the channel. */
  channel: string;
  /** The least age of the publisher's connection, in milliseconds. */
  age?: number;
  command?: never;
  key?: never;
  script?: never;
  scripted?: never;
  connect?: never;
  then: 'drop' | DelayFault;
}

/** A rule about new connections. */
export interface ConnectionRule extends FaultSelection {
  connect: true;
  command?: never;
  key?: never;
  script?: never;
  scripted?: never;
  age?: never;
  channel?: never;
  then: 'refuse' | 'silent' | 'stopReading' | ThrottleFault;
}

/** When something goes wrong, and what happens `then`. */
export type FaultRule = CallRule | MessageRule | ConnectionRule;

/**
 * What happens to a call:
 *
 * - `hang`: it runs when the rule is removed
 * - `close`: the connection is closed, and the command does not run
 * - `loseReply`: the command runs, and the connection is closed before the reply
 * - `twice`: the command runs twice; the reply is that of the second time
 * - `stopReading`: the command runs, and nothing more is read from the connection until the rule is removed
 * - `error`: the reply is this error; LOADING, BUSY, READONLY, OOM, MASTERDOWN, CLUSTERDOWN and TRYAGAIN stand for Redis'
 *   texts
 * - `moved`, `ask`: the reply is that of a node of a cluster that does not have the key; the value is `host:port`
 * - `cutReply`: the command runs, and the connection is closed after that many bytes of the reply
 */
export type CallFault =
  | 'hang'
  | 'close'
  | 'loseReply'
  | 'twice'
  | 'stopReading'
  | { error: string }
  | { moved: string }
  | { ask: string }
  | { cutReply: number }
  | DelayFault
  | ThrottleFault;

/** The call runs later, or the message is delivered later. */
export interface DelayFault {
  /** In milliseconds; of two, a random delay between both. */
  delay: number | readonly [shortest: number, longest: number];
  /** Whether the delay is on real time, instead of the server's clock. */
  realTime?: boolean;
}

/** What the connection transfers is limited until the rule is removed. */
export interface ThrottleFault {
  /** Bytes in a second of the server's clock, in each direction. */
  throttle: number;
}

const RULE_KEYS: Record<keyof FaultRule, true> = {
  ...{ command: true, key: true, script: true, scripted: true, channel: true, connect: true, client: true, age: true },
  ...{ from: true, until: true, nth: true, every: true, probability: true, seed: true, times: true, then: true },
};

const ACTION_KEYS: Record<string, true> = {
  ...{ error: true, moved: true, ask: true, cutReply: true, delay: true, realTime: true, throttle: true },
};

/** Returns the arguments of FAULT.ADD; throws a TypeError for what is no rule. */
export function ruleArguments(rule: FaultRule): Argument[] {
  assertRule(rule);
  const { command, scripted, key, script, channel, connect, client, age, from, until } = rule;
  const { nth, every, probability, seed, times } = rule;
  const values = { command, key, script, channel, client, age, nth, every, probability, seed, times };
  return [
    ...(scripted ? ['SCRIPTED'] : []),
    ...(connect ? ['CONNECT'] : []),
    ...Object.entries(given(values)).flatMap(([name, value]) =>
      value === undefined ? [] : [name.toUpperCase(), value],
    ),
    ...(from === undefined ? [] : ['FROM', Number(from)]),
    ...(until === undefined ? [] : ['UNTIL', Number(until)]),
    'THEN',
    ...actionArguments(rule.then),
  ];
}

/** Checks what a program without types, or with a type assertion, may pass. */
function assertRule(rule: { then?: unknown } | null): void {
  if (typeof rule !== 'object' || rule === null) throw new TypeError('a fault rule is an object or a line of text');
  assertKnownKeys('the key of a fault rule', rule, RULE_KEYS);
  const { then } = rule;
  if (typeof then === 'string') return;
  if (typeof then !== 'object' || then === null) {
    throw new TypeError("a fault rule needs `then`, what happens: then: 'loseReply', then: { delay: 100 }");
  }
  assertKnownKeys('the key of a fault', then, ACTION_KEYS);
}

function actionArguments(action: FaultRule['then']): Argument[] {
  if (typeof action === 'string') return [action.toUpperCase()];
  if ('delay' in action) return delayArguments(action);
  return Object.entries(action).flatMap(([name, value]: [string, Argument]) => [name.toUpperCase(), value]);
}

function delayArguments({ delay, realTime }: DelayFault): Argument[] {
  const [shortest, ...longest] = typeof delay === 'number' ? [delay] : delay;
  return [
    ...['DELAY', shortest],
    ...longest.flatMap((milliseconds) => ['TO', milliseconds]),
    ...(realTime ? ['REALTIME'] : []),
  ];
}
