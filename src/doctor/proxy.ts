import { proxiesOf } from '../catalog/proxy.ts';
import type { Check } from './examination.ts';

const subject = 'proxy';

/** Which proxies the environment names; a password in their addresses stays out. */
export function checkProxy(environment: NodeJS.ProcessEnv): Check {
  const proxies = proxiesOf(environment);
  if (!proxies) return { subject, verdict: 'good', message: 'none' };
  const { http_proxy: http, https_proxy: https, no_proxy: exempt } = proxies;
  const used = [http && `${shown(http)} for http`, https && `${shown(https)} for https`];
  const message = `${used.filter(Boolean).join(', ')}; none for ${exempt}`;
  if (canUseProxies()) return { subject, verdict: 'good', message };
  return {
    subject,
    verdict: 'warning',
    message: `${message}; this Node heeds none of them`,
    hint: 'Use Node 24.14 or newer, or set NODE_USE_ENV_PROXY=1.',
  };
}

function shown(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

function canUseProxies(): boolean {
  return 'setGlobalProxyFromEnv' in process.getBuiltinModule('node:http');
}
