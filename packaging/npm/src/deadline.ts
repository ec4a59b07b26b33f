/** The longest time that a timer of Node takes; with a longer one it fires at once. */
const LONGEST = 2 ** 31 - 1;

/** Aborts what takes longer than a time in milliseconds. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** Throws a RangeError for a time that is not greater than 0. */
  constructor(readonly timeout: number) {
    if (!(timeout > 0)) throw new RangeError(`startTimeout is milliseconds greater than 0, and not ${timeout}`);
    this.#timer = setTimeout(
      () => {
        this.#controller.abort();
      },
      Math.min(timeout, LONGEST),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is over. */
  get over(): boolean {
    return this.signal.aborted;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
