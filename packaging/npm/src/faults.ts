import type { Execute } from './control.js';
import { type FaultRule, ruleArguments } from './fault-rule.js';
import { type Fields, listOf } from './reply.js';
import { Snapshot } from './snapshot.js';
import { splitWords } from './words.js';

/** A rule on the server, and how often it has hit. */
export interface FaultState {
  readonly id: number;
  /** The rule as FAULT.ADD takes it. */
  readonly rule: string;
  /** How many calls, messages or connections fit it. */
  readonly matches: number;
  /** How often its fault has happened. */
  readonly hits: number;
}

/** A rule that `faults.add` has added. At the end of an `await using` block it is removed. */
export class Fault implements AsyncDisposable {
  readonly id: number;
  readonly #execute: Execute;

  /** @internal */
  constructor(id: number, execute: Execute) {
    this.id = id;
    this.#execute = execute;
  }

  /** How often the fault has happened. */
  async hits(): Promise<number> {
    return Number(await this.#execute('FAULT.HITS', this.id));
  }

  /** Removes the rule, if it is still there. A fault that lasts ends now. */
  async remove(): Promise<void> {
    await this.#execute('FAULT.REMOVE', this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.remove();
  }
}

/** Makes calls, messages and connections go wrong at the moment that the test chooses. */
export class Faults {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Adds a rule: `{ command: 'evalsha', key: 'order:*', nth: 2, then: 'loseReply' }`, or as text
   * `COMMAND evalsha KEY order:* NTH 2 THEN LOSEREPLY`, with the quotes of redis-cli.
   */
  async add(rule: FaultRule | string): Promise<Fault> {
    const args = typeof rule === 'string' ? splitWords(rule) : ruleArguments(rule);
    return new Fault(Number(await this.#execute('FAULT.ADD', ...args)), this.#execute);
  }

  /** The rules that there are. */
  async list(): Promise<FaultState[]> {
    return listOf(await this.#execute('FAULT.LIST')).map(toFaultState);
  }

  /** Removes all rules. */
  async clear(): Promise<void> {
    await this.#execute('FAULT.CLEAR');
  }

  /**
   * Does to clients what a restart of the server does: connections are closed, but for that of this object, scripts are
   * gone. Keys are kept, as of a Redis that saves them, lost, or those of a snapshot.
   */
  async restart(data: 'keep' | 'lose' | Snapshot = 'keep'): Promise<void> {
    const args = data instanceof Snapshot ? ['SNAPSHOT', data.name] : [data.toUpperCase()];
    await this.#execute('FAULT.RESTART', ...args);
  }

  /** Cuts the server off from its clients as a network does that loses all packets. This object still works. */
  async partition(): Promise<void> {
    await this.#execute('FAULT.PARTITION');
  }

  /** Ends a partition: the calls that were lost meanwhile run. */
  async heal(): Promise<void> {
    await this.#execute('FAULT.HEAL');
  }
}

function toFaultState(fields: Fields): FaultState {
  const { id, matches, hits } = {
    id: fields.number('id'),
    matches: fields.number('matches'),
    hits: fields.number('hits'),
  };
  return { id, rule: fields.text('rule'), matches, hits };
}
