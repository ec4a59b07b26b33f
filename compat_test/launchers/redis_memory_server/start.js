// redis-memory-server starts the program whose path is the first argument, as its systemBinary.
const net = require('node:net');
const { RedisMemoryServer } = require('redis-memory-server');

async function main(systemBinary) {
  const server = new RedisMemoryServer({ binary: { systemBinary }, autoStart: false });
  if (!(await server.start())) throw new Error('it did not start');
  const info = await ask(await server.getHost(), await server.getPort(), 'INFO server');
  if (!info.includes('minilockd_version')) throw new Error(`this is not minilockd: ${info}`);
  if (!(await server.stop())) throw new Error('it did not stop');
}

// ask sends a command and resolves to the beginning of its reply.
function ask(host, port, command) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host, () => socket.write(`${command}\r\n`));
    socket.once('data', (data) => { socket.destroy(); resolve(data.toString()); });
    socket.once('error', reject);
  });
}

main(process.argv[2]).then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
