import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assertKnownKeys, given } from './known-keys.js';

/** A value of a setting of redis.conf; an array for a setting of several words. Booleans become `yes` and `no`. */
export type ConfigValue = string | number | boolean | readonly (string | number)[];

/** How a server is started. All of it is optional. */
export interface StartOptions {
  /** The port on 127.0.0.1. Default: 0, a free one. */
  port?: number;
  /** The server to stand for: a version of Redis, or of Valkey. Default: 8.2. */
  emulate?: '7.0' | '7.2' | '7.4' | '8.0' | '8.2' | '8.4' | 'valkey-8.1' | 'valkey-9.1';
  /** Whether to listen for TLS as well, on a free port, with certificates that the server makes. Default: no. */
  tls?: boolean;
  /** The password that clients need. Default: `config.requirepass`, else none. */
  password?: string;
  /** The number of databases. Default: 16. */
  databases?: number;
  /** How many events of locks are kept, see `locks.history`. Default: none; the history is off. */
  lockHistory?: number;
  /** A file of fault rules, one a line, which are there before the first client connects. */
  faults?: string;
  /** Files to fill the server from before it accepts connections: commands, one a line, or RDB files. */
  load?: string | readonly string[];
  /** Settings of redis.conf by name, such as `{ maxmemory: '100mb' }`. */
  config?: Readonly<Record<string, ConfigValue>>;
  /** Further arguments of the binary, as they are. */
  args?: readonly string[];
  /** The path of the binary. Default: that of MINILOCKD_BINARY, else that of the platform's package. */
  binary?: string;
  /** How long the start may take, in milliseconds. Default: 30,000. */
  startTimeout?: number;
}

/** All options of `start`. */
export const START_OPTIONS: Record<keyof StartOptions, true> = {
  ...{ port: true, emulate: true, tls: true, password: true, databases: true, lockHistory: true },
  ...{ faults: true, load: true, config: true, args: true, binary: true, startTimeout: true },
};

/** The password that clients need: the option, or the setting of redis.conf. */
export function passwordOf({ password, config = {} }: StartOptions): string | undefined {
  const setting = Object.entries(given(config)).find(([name]) => name.toLowerCase() === 'requirepass')?.[1];
  const [, text] = option('requirepass', setting ?? password);
  return text === '' ? undefined : text;
}

/** Returns the arguments of the binary; throws a TypeError for an option that does not exist. */
export function commandLine(options: StartOptions): string[] {
  assertKnownKeys('the option of start', options, START_OPTIONS);
  const {
    port = 0,
    emulate,
    tls = false,
    password,
    databases,
    lockHistory,
    faults,
    load = [],
    config = {},
    args = [],
  } = options;
  const settings: Record<string, ConfigValue | undefined> = {
    emulate,
    requirepass: password,
    databases,
    'lock-history': lockHistory,
    faults,
    ...given(config),
  };
  return [
    ...['--addr', `127.0.0.1:${port}`, '--ready-json', '--exit-with-stdin'],
    ...(tls ? tlsOptions() : []),
    ...Object.entries(settings).flatMap(([name, value]) => option(name, value)),
    ...[load].flat().flatMap((file) => option('load', file)),
    ...args,
  ];
}

/** The server makes the folder of the certificates, and removes it when it ends. */
function tlsOptions(): string[] {
  return ['--tls-addr', '127.0.0.1:0', '--tls-out', join(tmpdir(), `minilockd-tls-${randomUUID()}`)];
}

function option(name: string, value: ConfigValue | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [`--${name}`, value ? 'yes' : 'no'];
  const words = typeof value === 'object' ? value : [value];
  return [`--${name}`, ...words.map(String)];
}
