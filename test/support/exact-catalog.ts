import fastJsonPatch from 'fast-json-patch';
import { type Received, serve } from './server.ts';

/** A catalog that keeps each number as it is written, as Java servers do; its contracts as JSON. */
export async function serveExactly(
  contracts: readonly string[],
  versions: Readonly<Record<string, readonly string[]>> = {},
) {
  const stored = contracts.map(parseDigits);
  const answer = ({ method, path, body }: Received): unknown => {
    const [id = '', history] = new URL(path, 'http://any').pathname.split('/').slice(4);
    const contract = stored.find((each) => each['id'] === id);
    if (history !== undefined)
      return { entityType: 'dataContract', versions: versions[id] ?? [JSON.stringify(contract)] };
    if (!contract) return { data: stored, paging: { total: stored.length } };
    if (method !== 'PATCH') return contract;
    fastJsonPatch.applyPatch(contract, JSON.parse(body, keepDigits));
    contract['updatedAt'] = Number(contract['updatedAt']) + 1;
    return contract;
  };
  const { url, received } = await serve((request, response) => {
    try {
      const text = JSON.stringify(answer(request));
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } catch {
      response.writeHead(400).end();
    }
  });
  return {
    environment: { CONTRACT_SYNC_URL: url.href, CONTRACT_SYNC_TOKEN: 'header.payload.signature' },
    /** The bodies of the patches that came. */
    patches: () => received.filter(({ method }) => method === 'PATCH').map(({ body }) => body),
    stored: () => stored.map((contract) => JSON.stringify(contract)),
  };
}

function parseDigits(text: string): { [member: string]: unknown } {
  return JSON.parse(text, keepDigits);
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? JSON.rawJSON(context?.source ?? '') : value;
}
