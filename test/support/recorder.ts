import { createServer, request as forward } from 'node:http';
import { listen } from './listen.ts';

export type Recorder = {
  /** Stands for the catalog's base URL. */
  readonly url: string;
  /** `GET /api/v1/…`, in the order of arrival. */
  readonly requests: readonly string[];
  /** The most requests that were without a whole answer at one time. */
  readonly mostInFlight: () => number;
};

/** Stands before a catalog and writes down each request. */
export async function record(
  catalogUrl: string,
  onRequest: (line: string) => void = () => undefined,
  /** Where a request goes in fact. */
  target: () => string = () => catalogUrl,
): Promise<Recorder> {
  const requests: string[] = [];
  let inFlight = 0;
  let most = 0;
  const server = createServer((incoming, answer) => {
    const { method, headers, url = '' } = incoming;
    const line = `${method} ${url}`;
    requests.push(line);
    onRequest(line);
    inFlight += 1;
    most = Math.max(most, inFlight);
    const onward = forward(new URL(url, target()), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      // Before `pipe` ends the answer: whoever hears its end may ask again at once.
      response.on('end', () => (inFlight -= 1));
      response.pipe(answer);
    });
    // The catalog is closed, or whoever asked has gone: there is nothing to answer.
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}${new URL(catalogUrl).pathname}`,
    requests,
    mostInFlight: () => most,
  };
}
