import { once } from 'node:events';
import type { Server } from 'node:http';
import { SyncError } from '../core/errors.ts';

/** Loopback only: the sandbox hands out its own tokens and is no server to share. */
export async function listen(server: Server, port: number): Promise<string> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    throw new SyncError('sandbox-port', `The sandbox can't listen on port ${port}.`, {
      hint: 'Another program may be using it: choose another port, or 0 for any free port.',
      cause,
    });
  }
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return `http://127.0.0.1:${bound}/api`;
}

/** Clients keep connections open for the next request: they would hold up the end. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
