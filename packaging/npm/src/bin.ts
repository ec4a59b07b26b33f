#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { findBinary } from './platforms.js';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the server's binary in the terminal, with this program's arguments, and ends as it ends. */
function run(): void {
  const binary = findBinary();
  const child = spawn(binary.path, process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    fail(`cannot run ${binary.description}: ${error.message}`);
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}

function fail(error: unknown): void {
  console.error(`minilockd: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

try {
  run();
} catch (error) {
  fail(error);
}
