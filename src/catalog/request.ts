/** The operations of the interface (§4), by which hints are chosen. */
export type OperationName = 'list' | 'patch' | 'versions' | 'version' | 'search' | 'release';

/** A request as data: built by `client.ts`, sent by `exchange.ts`. */
export type CatalogRequest = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'PATCH';
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  /** Gives the request up: its answer is no longer wanted. */
  readonly signal?: AbortSignal;
  /** Once aborted, the request is not tried again; a try that is under way goes on to its end. */
  readonly lastTry?: AbortSignal | undefined;
};

/** What an answer says: plain data, for it may cross threads. */
export type Content = {
  /** Its bytes as they came: to put them together would take as much memory again. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** `Content-Type`. */
  readonly type: string | null;
};

/** A whole answer, its body read to the end. */
export type Answer = Content & { readonly status: number; readonly headers: Headers };

/** As UTF-8, which JSON is (RFC 8259 §8.1). */
export function textOf({ chunks }: Pick<Content, 'chunks'>): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Query parameters that say what was asked and cannot be secret. */
const plainParameters = new Set(['fields', 'limit', 'include', 'status', 'entity', 'index']);

/** A URL fit for messages: without credentials, and with only such values as cannot be secret. */
export function displayUrl(url: URL): string {
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${plainParameters.has(name) ? value : '…'}`,
  );
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${url.origin}${url.pathname}${query}`;
}
