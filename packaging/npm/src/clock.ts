import { inspect } from 'node:util';

import type { Execute } from './control.js';

/**
 * The server's clock. Durations are in milliseconds, whole ones; others reject with a TypeError or RangeError. Each method
 * returns the time that it shows then.
 */
export class Clock {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /** The time of the server. */
  async now(): Promise<Date> {
    return this.#call('CLOCK.NOW');
  }

  /** Moves the clock forward. What is due on the way, such as the end of a lease, has happened when this resolves. */
  async advance(milliseconds: number): Promise<Date> {
    return this.#call('CLOCK.ADVANCE', whole('advance', milliseconds, 0));
  }

  /** Moves the clock to a time, a Date or milliseconds since 1970: forward as `advance` does, or back at once. */
  async set(time: Date | number): Promise<Date> {
    return this.#call('CLOCK.SET', whole('set', time instanceof Date ? time.getTime() : time));
  }

  /** Stops the clock. `advance` and `set` still move it. */
  async freeze(): Promise<Date> {
    return this.#call('CLOCK.FREEZE');
  }

  /** Lets it run on from what it shows. */
  async resume(): Promise<Date> {
    return this.#call('CLOCK.RESUME');
  }

  /** Makes it run faster or slower than real time: 1 is as fast, 10,000 the most. */
  async speed(factor: number): Promise<Date> {
    return this.#call('CLOCK.SPEED', checked('speed', 'a number', factor, Number.isFinite(factor)));
  }

  async #call(command: string, ...args: number[]): Promise<Date> {
    return new Date(Number(await this.#execute(command, ...args)));
  }
}

/** Returns milliseconds if they are whole and not less than a number. */
function whole(method: string, value: number, least = -Infinity): number {
  const wanted = `whole milliseconds${least === 0 ? ', not negative' : ''}`;
  return checked(method, wanted, value, Number.isSafeInteger(value) && value >= least);
}

function checked(method: string, wanted: string, value: number, valid: boolean): number {
  if (valid) return value;
  const message = `clock.${method} needs ${wanted}, not ${inspect(value)}`;
  throw typeof value === 'number' ? new RangeError(message) : new TypeError(message);
}
