import { Control } from './control.js';

/**
 * Controls a server that runs already, such as one for a whole test run or in a container.
 *
 * @param uri - `redis://[:password@]host:port`, as `Server.uri`
 */
export async function connect(uri: string): Promise<Control> {
  const url = new URL(uri);
  if (url.protocol !== 'redis:') throw new TypeError(`not the address of a server: ${uri}`);
  const password = url.password ? decodeURIComponent(url.password) : undefined;
  return Control.open({ host: url.hostname || '127.0.0.1', port: Number(url.port || 6379), password });
}
