import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommentHeader, formatBody } from '../../src/action/record/comment.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { planPage } from '../../src/report/plan.ts';
import { parseWorldSeed } from '../../src/sandbox/openmetadata/seed.ts';
import { type Evidence, judgeAgreement } from '../../src/review/agreement.ts';
import { startOpenMetadata } from '../../src/sandbox/openmetadata/server.ts';
import { commitFirst } from '../../test/support/git-folder.ts';
import { run as runProgram } from '../../test/support/process.ts';
import { root } from '../bundle.ts';
import { commentSvg } from './comment.ts';
import { terminalSvg } from './terminal.ts';

const commit = '3f1c09b2a7de';

const example = join(root, 'examples', 'openmetadata');

// The port, the day and the commit differ in each run, and are replaced by fixed ones.
async function openExample(folder: string, world = example) {
  const seedFile = join(world, 'catalog.json');
  const seed = parseWorldSeed(readFileSync(seedFile, 'utf8'), seedFile);
  const catalog = await startOpenMetadata({ seed });
  const run = async (args: readonly string[], more: NodeJS.ProcessEnv = { NO_COLOR: '1' }) => {
    const access = { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: catalog.token };
    const { stdout } = await runProgram(
      process.execPath,
      [join(root, 'src', 'cli', 'main.ts'), ...args],
      { cwd: folder, env: { PATH: process.env['PATH'], ...access, ...more } },
    );
    return stdout
      .replaceAll(catalog.url, 'https://catalog.example.com/api')
      .replace(/(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])/u, commit);
  };
  const describe = async (table: string, description: string) => {
    const authorization = `Bearer ${await catalog.tokenOf('mira.okafor')}`;
    const contracts = `${catalog.url}/v1/dataContracts`;
    const name = `warehouse.shop.sales.${table}.dataContract_${table}`;
    const found = await fetch(`${contracts}/name/${name}`, { headers: { authorization } });
    const { id }: { readonly id: string } = JSON.parse(await found.text());
    await fetch(`${contracts}/${id}`, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json-patch+json' },
      body: JSON.stringify([{ op: 'replace', path: '/description', value: description }]),
    });
  };
  return { run, describe, close: catalog.close };
}

function onOneDay(text: string): string {
  return text.replaceAll(/(?<=, on )\d{4}-\d\d-\d\d(?=, )/gu, '2026-03-12');
}

// As few as a pull request changes: the whole plan fills two screens.
const changed = ['contracts/refunds.yaml', 'contracts/legacy_orders.yaml'];

export async function drawPlan(): Promise<string> {
  const args = ['plan', ...changed];
  const { run, close } = await openExample(example);
  const output = await run([...args, '--no-base'], { FORCE_COLOR: '1' });
  await close();
  return terminalSvg(`$ contract-sync ${args.join(' ')}\n\n${onOneDay(output)}`);
}

const readers = join(root, 'test', 'docs', 'worlds', 'readers');

/** Of a column that three teams read, once one of them has agreed. */
export async function drawAgreement(): Promise<string> {
  const { run, close } = await openExample(readers, readers);
  const plan: Plan = JSON.parse(await run(['plan', '--format', 'json', '--no-base']));
  await close();
  const approval = { login: 'gil', commit, at: '2026-11-22T09:30:00Z' };
  const evidence: Evidence = {
    author: 'mira',
    approvals: [approval],
    shown: { since: '2026-11-22T08:00:00Z', commits: [commit], readers: [] },
    accounts: new Map([
      ['@gil', ['gil']],
      ['@acme/finance', ['olga']],
      ['data-platform', ['dan']],
    ]),
  };
  const contracts = plan.contracts.map((contract) =>
    contract.action === 'update' && contract.agreement
      ? { ...contract, agreement: judgeAgreement(contract.agreement, evidence) }
      : contract,
  );
  const merge = { into: 'prod', hasFailed: false };
  const page = planPage({ ...plan, contracts }, { merge, isComment: true, handles: {} });
  const [first = ''] = renderMarkdown(page, { budget: Infinity }).split('### ');
  return commentSvg(first);
}

const header: CommentHeader = {
  key: '',
  inputs: {},
  changes: [],
  part: 1,
  parts: 1,
  label: 'prod',
  head: commit,
  base: '',
  run: 311,
  attempt: 1,
  time: '2026-11-22T08:00',
};

export async function drawComment(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'comment-'));
  cpSync(example, folder, { recursive: true });
  commitFirst(folder);
  const { run, describe, close } = await openExample(folder);
  await run(['apply', '--yes', '--no-base']);
  await describe('customers', 'One row per customer account.');
  await describe('refunds', 'One row per refund, in euros.');
  const edit = (name: string, before: string | RegExp, after: string) => {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
  };
  edit('contracts/refunds.yaml', 'full or partial.', 'full or partial, or given as a voucher.');
  edit('contracts/orders.yaml', / {2}- \{ name: customer_id.*\n/u, '');
  // The apply above has used it up.
  edit('contract-sync.yaml', /^allow:\n(?:[ #-].*\n)*/mu, '');
  const plan: Plan = JSON.parse(await run(['plan', '--base', 'HEAD', '--format', 'json']));
  await close();
  rmSync(folder, { recursive: true });
  const merge = { into: 'prod', hasFailed: plan.errored };
  const page = renderMarkdown(planPage(plan, { merge, isComment: true }), {
    budget: Infinity,
  });
  const body = formatBody(header, { notes: [], page }, 'https://github.com/acme/contracts');
  const [, ...comment] = body.split('\n');
  return `# The comment on a pull request

This is what reviewers see, here with [an OpenMetadata](../examples/openmetadata/README.md): a column that goes from an approved
contract is blocked. Merging overwrites one edit of the catalog, and leaves another.

---

${onOneDay(comment.join('\n'))}`;
}
