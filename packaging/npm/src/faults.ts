import type { Execute } from './control.js';
import { type FaultRule, ruleArguments } from './fault-rule.js';
import { type Fields, listOf } from './reply.js';
import { MinilockdError } from './errors.js';
import { ofThisServer, Snapshot } from './snapshot.js';
import { splitWords } from './words.js';

/** A rule on the server, and how often it has hit. */
export class FaultState {
  readonly id: number;
  /** The rule as FAULT.ADD takes it. */
  readonly rule: string;
  /** How many calls, messages or connections fit it. */
  readonly matches: number;
  /** How often its fault has happened. */
  readonly hits: number;

  /** @internal */
  constructor(fields: Fields) {
    this.id = fields.number('id');
    this.rule = fields.text('rule');
    this.matches = fields.number('matches');
    this.hits = fields.number('hits');
  }

  /** `#1 COMMAND evalsha NTH 2 THEN LOSEREPLY: 1 match, 0 hits`. */
  toString(): string {
    return `#${this.id} ${this.rule}: ${counted(this.matches, 'match', 'matches')}, ${counted(this.hits, 'hit', 'hits')}`;
  }
}

/** A rule that `faults.add` has added. At the end of an `await using` block it is removed. */
export class Fault implements AsyncDisposable {
  readonly id: number;
  /** The rule as FAULT.ADD takes it. */
  readonly rule: string;
  readonly #execute: Execute;

  /** @internal */
  constructor(id: number, rule: string, execute: Execute) {
    this.id = id;
    this.rule = rule;
    this.#execute = execute;
  }

  /** How often the fault has happened. */
  async hits(): Promise<number> {
    return Number(await this.#execute('FAULT.HITS', this.id));
  }

  /** How many calls, messages or connections fit the rule, whether or not the fault has happened to them. */
  async matches(): Promise<number> {
    return (await this.state()).matches;
  }

  /** What the rule has counted; as text, for the message of an assertion, a line with all of it. */
  async state(): Promise<FaultState> {
    const state = (await listFaults(this.#execute)).find(({ id }) => id === this.id);
    if (!state) throw new MinilockdError(`the server has no rule ${String(this)} any more`);
    return state;
  }

  /** `#1 COMMAND evalsha NTH 2 THEN LOSEREPLY`. */
  toString(): string {
    return `#${this.id} ${this.rule}`;
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
    const [id, rules] = await Promise.all([this.#execute('FAULT.ADD', ...args), listFaults(this.#execute)]);
    const added = rules.find((state) => state.id === id);
    return new Fault(Number(id), added?.rule ?? args.join(' '), this.#execute);
  }

  /** The rules that there are. */
  async list(): Promise<FaultState[]> {
    return listFaults(this.#execute);
  }

  /** Removes all rules. */
  async clear(): Promise<void> {
    await this.#execute('FAULT.CLEAR');
  }

  /**
   * Does to clients what a restart of the server does: connections are closed, but for that of this object, scripts are
   * gone. Keys are kept, as of a Redis that saves them, lost, or those of a snapshot of this server.
   */
  async restart(data: 'keep' | 'lose' | Snapshot = 'keep'): Promise<void> {
    await ofThisServer(this.#execute('FAULT.RESTART', ...restartArguments(data)));
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

async function listFaults(execute: Execute): Promise<FaultState[]> {
  return listOf(await execute('FAULT.LIST')).map((fields) => new FaultState(fields));
}

function restartArguments(data: 'keep' | 'lose' | Snapshot): string[] {
  if (data instanceof Snapshot) return ['SNAPSHOT', data.name];
  if (!['keep', 'lose'].includes(data)) throw new TypeError("restart needs 'keep', 'lose' or a snapshot");
  return [data.toUpperCase()];
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
