import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { StartError } from './errors.js';

/** The platforms that there are packages for, as `process.platform` and `process.arch` name them. */
export const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'] as const;

/** Returns the path of the server's binary: the option, else the environment variable MINILOCKD_BINARY, else the package. */
export function findBinary(option?: string): string {
  const named = [option, process.env['MINILOCKD_BINARY']].find((path) => path !== undefined && path !== '');
  return named ?? packagedBinary(`${process.platform}-${process.arch}`);
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
