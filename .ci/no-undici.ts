/**
 * Replaces undici in the Action, nearly half of the bundle: the toolkit's HTTP client needs it for
 * `getAgentDispatcher` alone, which nothing here calls.
 */
export function ProxyAgent(): never {
  throw new Error('The Action is built without undici.');
}
