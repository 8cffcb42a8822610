import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { listen } from './listen.ts';

/**
 * A proxy that leads wherever it is asked to the same local port. Node 24 asks for a tunnel for plain
 * http too, Node 26 asks for the URL.
 */
export async function serveProxy(
  port: number,
): Promise<{ proxy: string; asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const { host, pathname, search } = new URL(url);
    asked.push(host);
    const forwarded = request({ port, path: `${pathname}${search}`, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.end();
  });
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(url.replace(':80', ''));
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
  });
  return { proxy: `http://127.0.0.1:${await listen(server)}`, asked };
}
