/** The scripts of the page of recipes, run as their machines would. */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import planSchema from '../../schemas/plan.schema.json' with { type: 'json' };
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { actionlint, auditWorkflows, lintWorkflows, zizmor } from '../action/workflow-checks.ts';
import { built } from '../support/built.ts';
import { gitInTurn } from '../support/git-folder.ts';
import { run as runProgram } from '../support/process.ts';
import { root } from '../support/root.ts';
import { serve } from '../support/server.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const page = readFileSync(join(root, 'docs', 'recipes.md'), 'utf8');
const sections = page.split(/^## /mu);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The fenced blocks of a section. */
function blocksOf(title: string, language = 'yaml'): readonly string[] {
  const section = sections.find((each) => each.startsWith(title)) ?? '';
  const fences = section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gmu'));
  return [...fences].map(([, block = '']) => block);
}

/** The quickstart as a clone of a remote, a catalog for it, and programs that stand in for others. */
async function arrange() {
  const home = makeFolder();
  const folder = join(home, 'contracts');
  cpSync(join(root, 'examples', 'quickstart'), folder, { recursive: true });
  const file = join(folder, 'catalog.json');
  const catalog = await serveCatalog({ seed: parseSeed(readFileSync(file, 'utf8'), file) });
  rmSync(file);
  gitInTurn(
    home,
    'init --quiet --bare --initial-branch main remote.git',
    '-C contracts init --quiet --initial-branch main',
    '-C contracts add --all',
    '-C contracts commit --quiet -m First',
    '-C contracts remote add origin ../remote.git',
    '-C contracts push --quiet origin main',
  );
  const standIn = (name: string, script: string) => {
    writeFileSync(join(home, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(home, name), 0o755);
  };
  const main = await built('cli.js');
  standIn('contract-sync', `exec '${process.execPath}' '${main}' "$@"`);
  standIn('npx', `shift 2; exec '${process.execPath}' '${main}' "$@"`);
  // Only `lint` needs no data; it is run for real where the program is there.
  const isThere = '[ "$2" = lint ] && command -v datacontract >/dev/null';
  standIn('pipx', `shift 3; echo "$@"; if ${isThere}; then exec "$@" >&2; fi`);
  const download = `mkdir -p "$7" && cp '${home}/outcomes.json' "$7/contract-sync-1-outcomes.json"`;
  standIn('gh', `if [ "$1" = run ]; then ${download}; else echo "$@" >'${home}/gh.txt'; fi`);
  const PATH = [home, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const run = async (script: string, env: Readonly<Record<string, string>> = {}) =>
    runProgram('bash', ['-e', '-c', script], {
      cwd: folder,
      env: { PATH, HOME: home, ...accessTo(catalog), ...env },
    });
  return { home, catalog, folder, run };
}

const programs = (process.env['PATH'] ?? '').split(delimiter);
const find = (name: string) => programs.map((each) => join(each, name)).find(existsSync);
const conftest = find('conftest');

const membersOf = (name: string, policy: string) =>
  new Set(
    [...policy.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'gu'))].map(([, member = '']) => member),
  );

describe('the policy in Rego', () => {
  const [policy = ''] = blocksOf('A policy', 'rego');

  test('reads what a plan has', () => {
    const { update, change } = planSchema.$defs;
    expect(membersOf('contract', policy).size).toBe(4);
    for (const name of membersOf('contract', policy))
      expect(update.properties).toHaveProperty(name);
    expect(membersOf('change', policy)).toEqual(new Set(['place']));
    expect(change.properties).toHaveProperty('place');
  });

  test.skipIf(conftest === undefined)('judges a plan (skipped without conftest)', async () => {
    const { folder, run } = await arrange();
    const judge = async () => {
      await run('npx --yes contract-sync plan --out plan.json');
      writeFileSync(join(folder, 'contracts.rego'), policy);
      return run('conftest test --no-color --policy contracts.rego plan.json');
    };
    const { code, stdout } = await judge();
    expect(code).toBe(1);
    expect([...stdout.matchAll(/ - main - (.*)/gu)].map(([, message]) => message)).toEqual([
      'warehouse.shop.sales.customers: ask the data office to change the owner',
    ]);
    const retired = join(folder, 'contracts/sales/legacy_orders.yaml');
    writeFileSync(retired, readFileSync(retired, 'utf8').replace('Use ', 'See '));
    expect((await judge()).stdout).toContain(
      'warehouse.shop.sales.legacy_orders: say in the description what to use instead',
    );
  });
});

test('Slack is sent what the outputs say', async () => {
  const { run } = await arrange();
  const { url, received } = await serve((_, response) => response.end('ok'));
  const [step] = parse(blocksOf('Slack')[0] ?? '');
  const sent = await run(step.run, {
    SLACK_WEBHOOK: url.href,
    DRIFTED: '2',
    WAITING: '1',
    REASON: '',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/contracts',
    GITHUB_RUN_ID: '7',
  });
  expect(sent).toEqual({ code: 0, stdout: 'ok', stderr: '' });
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    {
      text: 'Contracts: 2 edited in the catalog, 1 merged and not applied.  <https://github.com/acme/contracts/actions/runs/7|Run>',
    },
  ]);
  const refused = await run(step.run, { SLACK_WEBHOOK: new URL('http://127.0.0.1:1/').href });
  expect(refused.code).not.toBe(0);
});

test('datacontract-cli checks and tests each ODCS file', async () => {
  const { folder, run } = await arrange();
  cpSync(join(root, 'examples', 'odcs', 'contracts'), join(folder, 'contracts'), {
    recursive: true,
  });
  const { data } = parse(blocksOf('Tests of the data')[0] ?? '');
  const { code, stdout } = await run(data.steps.at(-1).run);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toEqual(
    ['customers', 'orders'].flatMap((name) => [
      `datacontract lint contracts/${name}.odcs.yaml`,
      `datacontract test --server production contracts/${name}.odcs.yaml`,
    ]),
  );
});

test('GitLab: a note with the plan, and an apply of the saved plan alone', async () => {
  const { folder, run } = await arrange();
  const [, component] = parseAllDocuments(blocksOf('GitLab')[0] ?? '');
  const pipeline = component?.toJS();
  const { url, received } = await serve((_, response) => response.end('{}'));
  const job = (name: string, script: readonly string[] = pipeline[name].script) =>
    run(script.join('\n'), {
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_DEFAULT_BRANCH: 'main',
      CI_API_V4_URL: url.href,
      CI_PROJECT_ID: '12',
      CI_MERGE_REQUEST_IID: '41',
      GITLAB_NOTES_TOKEN: 'glpat',
    });
  expect(await job('contracts plan')).toMatchObject({ code: 0 });
  expect(received).toMatchObject([
    { method: 'POST', path: '/api/projects/12/merge_requests/41/notes' },
  ]);
  expect(received[0]?.headers['private-token']).toBe('glpat');
  const { body: note } = JSON.parse(received[0]?.body ?? '{}');
  expect(note).toContain('## contract-sync: ');
  expect(note).toContain('warehouse.shop.sales.orders');

  expect(await job('contracts validate')).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'contracts.xml'), 'utf8')).toMatch(/^<\?xml .*failures="0"/su);
  rmSync(join(folder, 'contracts.xml'));

  expect(await job('contracts plan of main')).toMatchObject({ code: 0 });
  const later = join(folder, 'contracts/sales/orders.yaml');
  writeFileSync(later, readFileSync(later, 'utf8').replace('web or app', 'web, app or shop'));
  const applied = await job('contracts apply');
  expect(applied.stdout).toContain('not-reviewed');
  expect(applied.stdout).toMatch(/4 applied|Applied 4/u);
  expect(applied.code).toBe(1);

  // A plan with an error is noted, and the job is red.
  writeFileSync(later, 'name: [');
  expect(await job('contracts plan')).toMatchObject({ code: 1 });
  expect(received).toHaveLength(2);
});

test('Azure: a plan as the summary of its stage, and an apply of the saved plan', async () => {
  const { folder, run } = await arrange();
  const { variables, stages } = parse(blocksOf('Azure')[0] ?? '');
  const bash = (steps: readonly { readonly bash?: string }[]) =>
    (steps.find((step) => step.bash)?.bash ?? '').replaceAll(
      '$(contractSync)',
      variables.contractSync,
    );
  const [plan, apply] = stages;
  const planned = await run(bash(plan.jobs[0].steps), {
    SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
  });
  expect(planned.code).toBe(0);
  const [, summary = ''] = /^##vso\[task\.uploadsummary\](.+)$/mu.exec(planned.stdout) ?? [];
  expect(readFileSync(summary, 'utf8')).toContain('## contract-sync: ');
  mkdirSync(join(folder, 'plan'));
  renameSync(join(folder, 'plan.json'), join(folder, 'plan', 'plan.json'));
  const { steps } = apply.jobs[0].strategy.runOnce.deploy;
  const applied = await run(bash(steps), { PIPELINE_WORKSPACE: folder });
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toMatch(/5 applied|Applied 5/u);
});

test('the workflow that rolls back shows its plan, sends it, and opens a pull request', async () => {
  const { home, catalog, folder, run } = await arrange();
  const text = readFileSync(join(root, 'examples/workflows/contract-sync-rollback.yml'), 'utf8');
  const { jobs } = parse(text);
  const summary = join(home, 'summary.md');
  const given = { RUN: '12', BEFORE: '', ONLY: '', REASON: 'wrong merge', BRANCH: 'rollback' };
  const env = { ...given, RUNNER_TEMP: home, GITHUB_STEP_SUMMARY: summary };
  const scriptOf = (job: string): string =>
    jobs[job].steps.flatMap((step: { run?: string }) => step.run ?? []).join('\n');

  expect(await run('contract-sync apply --yes --report ../outcomes.json')).toMatchObject({
    code: 0,
  });
  expect(await run(`(${scriptOf('plan')})`, env)).toMatchObject({ code: 0 });
  expect(readFileSync(summary, 'utf8')).toMatch(/^~~~~.*Plan: 5 to update.*~~~~\n$/su);

  // What somebody edits meanwhile stays out of that pull request.
  const edited = await fetch(
    `${catalog.url}/v1/dataContracts/1bbbfa24-bc69-40ec-8ab6-e18aaaab1814`,
    {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${catalog.token}`,
        'Content-Type': 'application/json-patch+json',
      },
      body: JSON.stringify([{ op: 'add', path: '/description', value: 'By hand.' }]),
    },
  );
  expect(edited.status).toBe(200);
  const applied = await run(scriptOf('apply'), env);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('Apply: 5 applied.');
  expect(readFileSync(join(home, 'gh.txt'), 'utf8')).toContain('pr create --head rollback');
  const pushed = await run('git log --format=%B -1 origin/rollback && git diff --stat origin/main');
  expect(pushed.stdout).toContain('Bring the files in step with a rollback\n\nwrong merge');
  expect(pushed.stdout).toContain('5 files changed');
  expect(pushed.stdout).not.toContain('order_items');
  expect(existsSync(join(folder, 'plan.txt'))).toBe(true);
});

test('the workflow of a review runs the latest plan of that commit again, once it has ended', async () => {
  const home = makeFolder();
  const text = readFileSync(join(root, 'examples/workflows/contract-sync-review.yml'), 'utf8');
  const script: string = parse(text).jobs['plan-again'].steps[0].run;
  writeFileSync(
    join(home, 'gh'),
    `#!/bin/sh\necho "$@" >>gh.txt; [ "$2" = list ] && echo "$RUN"; :\n`,
  );
  chmodSync(join(home, 'gh'), 0o755);
  const asked = async (run: string) => {
    const env = { PATH: `${home}${delimiter}${process.env['PATH']}`, COMMIT: 'c0ffee', RUN: run };
    expect(await runProgram('bash', ['-e', '-c', script], { cwd: home, env })).toMatchObject({
      code: 0,
    });
    const lines = readFileSync(join(home, 'gh.txt'), 'utf8').trim().split('\n');
    rmSync(join(home, 'gh.txt'));
    return lines;
  };
  const listed = expect.stringMatching(
    /^run list --workflow contract-sync-plan\.yml --event pull_request --commit c0ffee /u,
  );
  expect(await asked('311')).toEqual([listed, 'run watch 311', 'run rerun 311']);
  expect(await asked('')).toEqual([listed]);
});

test('the page names this version, and no other', () => {
  const named = [...page.matchAll(/contract-sync(?:@|:|-)(\d+\.\d+\.\d+)/gu)].map(
    ([, name]) => name,
  );
  expect(new Set(named)).toEqual(new Set([version]));
});

/** A workflow of the steps and the job that the page shows. */
function workflowOf(): string {
  const parts = [blocksOf('A policy'), blocksOf('Slack')].flat();
  const job = blocksOf('Tests of the data').join('');
  const head = 'name: recipes\non: [workflow_dispatch]\n';
  return `${head}concurrency:\n  group: recipes\n  cancel-in-progress: true\npermissions: {}\njobs:\n${job}  plan:\n    name: plan\n    runs-on: ubuntu-latest\n    steps:\n      - id: contracts\n        uses: contract-sync/contract-sync@${'0'.repeat(40)} # v0.1.0\n${parts.join('')}`;
}

test.skipIf(!actionlint || !zizmor)('the steps for GitHub are sound', () => {
  const file = join(makeFolder({ 'recipes.yml': workflowOf() }), 'recipes.yml');
  lintWorkflows([file]);
  auditWorkflows([file]);
});
