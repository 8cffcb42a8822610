/**
 * Stands in for undici in the Action: the toolkit's HTTP client has it for `getAgentDispatcher`
 * alone, which nothing here calls. It would be nearly half of the bundle.
 */
export function ProxyAgent(): never {
  throw new Error('The Action is built without undici.');
}
