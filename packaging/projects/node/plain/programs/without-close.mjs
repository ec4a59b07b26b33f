// Starts a server, uses it, and ends without closing it.
import { start } from 'minilockd';

const server = await start();
await server.execute('SET', 'a', 1);
await server.clock.advance(1000);
console.log(server.pid);
