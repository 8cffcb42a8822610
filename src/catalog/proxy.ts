import type { ProxyEnv } from 'node:http';

/**
 * Sends what this process fetches through the proxy that the environment names. The programs call
 * it once, before anything is fetched; a library must not change its caller's process.
 */
export function useEnvironmentProxy(environment: NodeJS.ProcessEnv): void {
  const proxies = proxiesOf(environment);
  // Loaded only where it is needed; absent before Node 24.14, which has NODE_USE_ENV_PROXY alone.
  if (proxies) process.getBuiltinModule('node:http').setGlobalProxyFromEnv?.(proxies);
}

/** This machine is never behind a proxy: the sandbox is here, and its token goes in plain text. */
const thisMachine = 'localhost,127.0.0.1,[::1]';

/** The proxies to use, if any. As elsewhere, the lower-case name wins over the upper-case one. */
export function proxiesOf(environment: NodeJS.ProcessEnv): ProxyEnv | undefined {
  const http = environment['http_proxy'] ?? environment['HTTP_PROXY'];
  const https = environment['https_proxy'] ?? environment['HTTPS_PROXY'];
  if (!http && !https) return undefined;
  const exempt = environment['no_proxy'] ?? environment['NO_PROXY'];
  return {
    ...(http && { http_proxy: http }),
    ...(https && { https_proxy: https }),
    no_proxy: exempt ? `${exempt},${thisMachine}` : thisMachine,
  };
}
