import { once } from 'node:events';
import { createConnection } from 'node:net';

/** A client that is not exempt from faults, named worker. It keeps the process alive until it is closed. */
export class Worker {
  #socket;

  static async open({ host, port }) {
    const worker = new Worker();
    worker.#socket = createConnection({ host, port });
    await worker.ask('CLIENT SETNAME worker');
    return worker;
  }

  /** Sends a command of one line, and returns the reply in RESP2, which is one line, too. */
  async ask(command) {
    this.#socket.write(`${command}\r\n`);
    const [reply] = await once(this.#socket, 'data');
    return String(reply).trimEnd();
  }

  close() {
    this.#socket.destroy();
  }
}
