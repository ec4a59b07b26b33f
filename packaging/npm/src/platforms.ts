import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { StartError } from './errors.js';

/** The platforms that there are packages for, as `process.platform` and `process.arch` name them. */
export const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'] as const;

/** The server's binary. */
export interface Binary {
  readonly path: string;
  /** Path and origin, for error messages. */
  readonly description: string;
}

/** Finds the server's binary: that of the option, else of the environment variable MINILOCKD_BINARY, else of the package. */
export function findBinary(option?: string): Binary {
  const platform = `${process.platform}-${process.arch}`;
  const variable = process.env['MINILOCKD_BINARY'];
  if (option) return binary(option, 'the option binary');
  if (variable) return binary(variable, 'the environment variable MINILOCKD_BINARY');
  return binary(packagedBinary(platform), `the package @minilockd/${platform}`);
}

function binary(path: string, origin: string): Binary {
  return { path, description: `${path} (from ${origin})` };
}

/** Returns the path of the binary in the package of a platform, which npm installs as an optional dependency. */
export function packagedBinary(platform: string): string {
  if (!PLATFORMS.some((known) => known === platform)) {
    throw new StartError(
      `there is no minilockd for ${platform}, only for ${PLATFORMS.join(', ')}. ` +
        'Set MINILOCKD_BINARY to the path of a binary that was built for it.',
    );
  }
  const binary = join(packageFolder(platform), 'bin', platform.startsWith('win32') ? 'minilockd.exe' : 'minilockd');
  if (!existsSync(binary)) throw new StartError(`${binary} does not exist: install @minilockd/${platform} again`);
  return binary;
}

function packageFolder(platform: string): string {
  try {
    return dirname(require.resolve(`@minilockd/${platform}/package.json`));
  } catch (cause) {
    throw new StartError(
      `the package @minilockd/${platform} is not installed. It is an optional dependency of minilockd: install without ` +
        '--omit=optional, and on the platform that runs the tests (node_modules of another platform lack it).',
      { cause },
    );
  }
}
