import type { ProxyEnv } from 'node:http';
import { ConfigError } from '../core/errors.ts';

/** Sends what this process fetches through the proxy that the environment names. */
export function useEnvironmentProxy(environment: NodeJS.ProcessEnv): void {
  const proxies = proxiesOf(environment);
  // Loaded only where it is needed; absent before Node 24.14, which has NODE_USE_ENV_PROXY alone.
  if (proxies) process.getBuiltinModule('node:http').setGlobalProxyFromEnv?.(proxies);
}

/** This machine is never behind a proxy: the sandbox is here, and its token goes in plain text. */
const thisMachine = 'localhost,127.0.0.1,[::1]';

/** The proxies to use, if any. As elsewhere, the lower-case name wins over the upper-case one. */
export function proxiesOf(environment: NodeJS.ProcessEnv): ProxyEnv | undefined {
  const http = proxyUrl(environment, 'http_proxy');
  const https = proxyUrl(environment, 'https_proxy');
  if (http === undefined && https === undefined) return undefined;
  const exempt = environment['no_proxy'] ?? environment['NO_PROXY'];
  return {
    ...(http !== undefined && { http_proxy: http }),
    ...(https !== undefined && { https_proxy: https }),
    no_proxy: exempt ? `${exempt},${thisMachine}` : thisMachine,
  };
}

/** Its value stays out of the message: it may hold a password. */
function proxyUrl(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toUpperCase()];
  if (value === undefined || value === '') return undefined;
  // `proxy:3128` is what many write, and what curl takes; a URL parser sees the scheme "proxy:".
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  // What stands behind the host may be the rest of a password with a slash; Node takes none of it.
  if (isWeb && `${url.pathname}${url.search}${url.hash}` === '/') return url.href;
  throw new ConfigError('invalid-proxy', `${name} is not a proxy URL.`, {
    hint: 'Use an http or https proxy, such as http://proxy.example.com:3128.',
  });
}
