import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CommentHeader, formatBody } from '../../src/action/comment.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { planPage } from '../../src/report/plan.ts';
import { parseWorldSeed } from '../../src/sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../../src/sandbox/openmetadata/server.ts';
import { root } from '../bundle.ts';
import { terminalSvg } from './terminal.ts';

const commit = '3f1c09b2a7de';

const example = join(root, 'examples', 'openmetadata');

// The port, the day and the commit differ in each run, and are replaced by fixed ones.
async function runOverExample(args: readonly string[], { colours = false } = {}): Promise<string> {
  const seedFile = join(example, 'catalog.json');
  const seed = parseWorldSeed(readFileSync(seedFile, 'utf8'), seedFile);
  const catalog = await startOpenMetadata({ seed });
  const child = spawn(
    process.execPath,
    [join(root, 'src', 'cli', 'main.ts'), ...args, '--no-base'],
    {
      cwd: example,
      env: {
        PATH: process.env['PATH'],
        CONTRACT_SYNC_URL: catalog.url,
        CONTRACT_SYNC_TOKEN: catalog.token,
        ...(colours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  await catalog.close();
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
  return output
    .replaceAll(catalog.url, 'https://catalog.example.com/api')
    .replace(/(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])/u, commit);
}

function onOneDay(text: string): string {
  return text.replaceAll(/(?<=, on )\d{4}-\d\d-\d\d(?=, )/gu, '2026-03-12');
}

// As few as a pull request changes: the whole plan fills two screens.
const changed = ['contracts/refunds.yaml', 'contracts/legacy_orders.yaml'];

export async function drawPlan(): Promise<string> {
  const args = ['plan', ...changed];
  const output = await runOverExample(args, { colours: true });
  return terminalSvg(`$ contract-sync ${args.join(' ')}\n\n${onOneDay(output)}`);
}

const header: CommentHeader = {
  key: '',
  place: '',
  label: 'prod',
  catalog: '',
  head: commit,
  base: '',
  run: 311,
  attempt: 1,
  time: '2026-11-22T08:00',
};

export async function drawComment(): Promise<string> {
  const plan: Plan = JSON.parse(await runOverExample(['plan', '--format', 'json', ...changed]));
  const merge = { into: 'prod', hasFailed: false };
  const page = renderMarkdown(planPage(plan, { merge, isComment: true }), { budget: Infinity });
  const [, ...comment] = formatBody(
    header,
    { notes: [], page },
    'https://github.com/acme/contracts',
  ).split('\n');
  return `# The comment on a pull request

The plan of a pull request that changes two contracts of [an OpenMetadata](../examples/openmetadata/README.md), one of
which loses a column that others read:

---

${onOneDay(comment.join('\n'))}`;
}
