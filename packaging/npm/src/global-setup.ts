import type { StartOptions } from './options.js';
import { type Server, start } from './server.js';

/** What Vitest gives to a global set-up. */
interface VitestProject {
  provide?: (name: 'minilockdUri', value: string) => void;
}

let server: Server | undefined;

/**
 * Starts one server for the whole run, and gives its address to the tests as the environment variable MINILOCKD_URI. In
 * Vitest it is also `inject('minilockdUri')`. Returns what ends it.
 */
export async function setup(project?: VitestProject, options: StartOptions = {}): Promise<() => Promise<void>> {
  await teardown(); // that of the run before, in watch mode
  server = await start(options);
  process.env['MINILOCKD_URI'] = server.uri;
  project?.provide?.('minilockdUri', server.uri);
  return teardown;
}

/** Ends the server. It also ends with the process that has started it. */
export async function teardown(): Promise<void> {
  await server?.close();
  server = undefined;
}

/** Returns a `setup` with options, to be the default export of a file of your own. */
export function globalSetupWith(options: StartOptions): (project?: VitestProject) => Promise<() => Promise<void>> {
  return async (project) => setup(project, options);
}

export { setup as default };
