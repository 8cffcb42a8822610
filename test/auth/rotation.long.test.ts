import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completeEffects } from '../../src/auth/token.ts';
import { logIn } from '../../src/auth/login.ts';
import { openTokenStore } from '../../src/auth/store.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/workspace.ts';
import { serveProvider, type TestProvider } from './provider.ts';
import { serveTrusting } from './trusting.ts';
import { rounds } from '../support/rounds.ts';

const mornings = rounds(5);
const contracts = Array.from({ length: 40 }, (_, index) => `table_${index}`);
const loginsFile = 'state/contract-sync/tokens.json';

/** A home in which `person` is logged in. */
async function makeHome(provider: TestProvider): Promise<string> {
  const home = makeFolder();
  const store = openTokenStore(join(home, loginsFile));
  const client = {
    issuer: provider.issuer,
    clientId: 'person',
    access: { scope: 'openid offline_access contracts' },
  };
  const approved: Promise<void>[] = [];
  const sleep = async (): Promise<void> => void (await Promise.all(approved));
  await logIn(client, { ...completeEffects({ sleep }), store }, ({ user_code: code }) => {
    approved.push(provider.approve(code));
  });
  return home;
}

/** The access token is over, as it is on the next morning; the refresh token is not. */
function endAccess(home: string): void {
  const file = join(home, loginsFile);
  const text = readFileSync(file, 'utf8').replace(/"expiresAt": \d+/u, '"expiresAt": 1');
  writeFileSync(file, text, { mode: 0o600 });
}

/** A catalog, and a folder with as many contracts, each to be changed. */
async function makeWorkspace({ issuer }: TestProvider, home: string) {
  const catalog = await serveTrusting(issuer, {
    seed: contracts.map((name) => ({ name, fullyQualifiedName: `shop.${name}` })),
  });
  const folder = makeFolder({
    'contract-sync.yaml': `auth: { issuer: "${issuer}", clientId: person, scope: openid offline_access contracts }\nlimits: { updates: 100% }\n`,
    ...Object.fromEntries(contracts.map((name) => [`contracts/${name}.yaml`, ''])),
  });
  const environment = {
    XDG_STATE_HOME: join(home, 'state'),
    CONTRACT_SYNC_URL: catalog,
  };
  const describeAs = (text: string): void => {
    for (const name of contracts) {
      const content = `fullyQualifiedName: shop.${name}\ndescription: ${text}\n`;
      writeFileSync(join(folder, `contracts/${name}.yaml`), content);
    }
  };
  return { world: { folder, environment }, describeAs };
}

/** The issuer rotates refresh tokens and ends the whole login where one is used twice. */
test('two plans and two applies of 40, started together with a login due, all succeed', async () => {
  const provider = await serveProvider();
  const home = await makeHome(provider);
  const [first, second] = [
    await makeWorkspace(provider, home),
    await makeWorkspace(provider, home),
  ];
  for (let round = 1; round <= mornings; round += 1) {
    endAccess(home);
    for (const { describeAs } of [first, second]) describeAs(`As of round ${round}.`);
    const before = provider.requests.filter((line) => line === 'POST /token').length;
    const runs = await Promise.all([
      runCli(['plan'], first.world),
      runCli(['plan'], second.world),
      runCli(['apply', '--yes'], first.world),
      runCli(['apply', '--yes'], second.world),
    ]);
    expect(runs.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', '', '', '']);
    expect(runs.slice(2).every(({ stdout }) => stdout.includes('40 applied'))).toBe(true);
    const after = provider.requests.filter((line) => line === 'POST /token').length;
    expect(after - before).toBe(1);
  }
  endAccess(home);
  expect((await runCli(['plan'], first.world)).code).toBe(0);
}, 600_000);
