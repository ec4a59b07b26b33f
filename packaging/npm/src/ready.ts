/** What the server prints once it listens. */
export interface Ready {
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly redis_version: string;
  /** With TLS: the port, and files for clients. */
  readonly tls_port?: number;
  readonly tls_ca?: string;
  readonly tls_cert?: string;
  readonly tls_key?: string;
}

/** Reads the line that the server prints; undefined for a line that only another program can have printed. */
export function parseReady(line: string): Ready | undefined {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null) return undefined;
  const { port, pid, version, redis_version } = value as Record<keyof Ready, unknown>;
  const numbers = isPositive(port) && port < 65_536 && isPositive(pid);
  const texts = typeof version === 'string' && typeof redis_version === 'string';
  return numbers && texts ? (value as Ready) : undefined;
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
