// Starts a server, then another child that outlives this process, prints both ids, and waits.
import { spawn } from 'node:child_process';

import { start } from 'minilockd';

const server = await start();
const other = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
console.log(server.pid, other.pid);
setInterval(() => undefined, 1000);
