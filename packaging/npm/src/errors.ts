/** What all errors of this package have in common. */
export class MinilockdError extends Error {
  override name = 'MinilockdError';
}

/** An error reply of the server. The message is Redis' text, such as `WRONGTYPE Operation against a key …`. */
export class ReplyError extends MinilockdError {
  override name = 'ReplyError';

  /** The first word of the message, such as `WRONGTYPE` or `ERR`. */
  get code(): string {
    return this.message.split(' ', 1)[0] ?? '';
  }
}

/** The server could not be started. The message has its exit status and the last lines that it logged. */
export class StartError extends MinilockdError {
  override name = 'StartError';
}

/** The server is closed, or has ended by itself: then the message has its exit status and the last lines of its log. */
export class ServerClosedError extends MinilockdError {
  override name = 'ServerClosedError';
}

/** The control connection was closed while a call waited for its reply. The next call opens a new one. */
export class ConnectionLostError extends MinilockdError {
  override name = 'ConnectionLostError';
}
