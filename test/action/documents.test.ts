import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../support/process.ts';
import { root } from '../support/root.ts';
import { makeFolder } from '../support/workspace.ts';
import { expectGolden } from '../support/golden.ts';
import {
  actionlint,
  auditWorkflows,
  expectSoundWorkflow,
  lintWorkflows,
  zizmor,
} from './workflow-checks.ts';

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8');
const action = parse(read('action.yml'));
const sources = read('src', 'action', 'inputs.ts');

test('action.yml and the sources know the same inputs', () => {
  const known = [...sources.matchAll(/(?:read|secret|isSet)\('([a-z-]+)'|, '([a-z-]+)', read\)/gu)]
    .map(([, plain, chosen]) => plain ?? chosen)
    .concat('expect-hash');
  expect(new Set(known)).toEqual(new Set(Object.keys(action.inputs)));
});

test('the bundle that action.yml names is there, with the licences of all it holds', () => {
  expect(action.runs).toEqual({ using: 'node24', main: 'dist/action.js' });
  expect(existsSync(join(root, action.runs.main))).toBe(true);
  const licences = read('dist', 'action.js.LEGAL.txt');
  for (const name of ['@actions/core', 'yaml', 'openid-client', 'p-limit', 'diff']) {
    expect(licences).toContain(`Name: ${name}\n`);
  }
});

test('every part of the bundle that another one loads is there', () => {
  const folder = join(root, 'dist', 'action');
  const parts = existsSync(folder) ? readdirSync(folder) : [];
  for (const part of ['../action.js', ...parts]) {
    const loaded = read('dist', 'action', part).matchAll(
      /(?:from|import\()\s*["'`]\.\/(?:action\/)?([\w-]+\.js)["'`]/gu,
    );
    for (const [, name] of loaded) expect(parts).toContain(name);
  }
});

type Documented = { readonly description: string; readonly default?: string };

type ActionFile = {
  readonly inputs: Readonly<Record<string, Documented>>;
  readonly outputs: Readonly<Record<string, Documented>>;
};

/** The inputs and outputs of `action.yml` as the documentation shows them. */
function actionTables({ inputs, outputs }: ActionFile): string {
  return [
    '### Inputs',
    '',
    '| input | default | |',
    '| --- | --- | --- |',
    ...Object.entries(inputs).map(([name, input]) => {
      const given = input.default === undefined ? '' : `\`${input.default}\``;
      return `| \`${name}\` | ${given} | ${input.description} |`;
    }),
    '',
    '### Outputs',
    '',
    '| output | |',
    '| --- | --- |',
    ...Object.entries(outputs).map(([name, { description }]) => `| \`${name}\` | ${description} |`),
    '',
  ].join('\n');
}

test('the tables of inputs and outputs are those of action.yml', () => {
  const file = join(root, 'examples', 'workflows', 'README.md');
  const [text = ''] = readFileSync(file, 'utf8').split('## Reference\n');
  expectGolden(file, `${text}## Reference\n\n${actionTables(action)}`);
});

const linted = actionlint === undefined ? ' (skipped: no actionlint in PATH)' : '';

const workflows = [
  ['examples', 'workflows'],
  ['examples', 'monorepo', '.github', 'workflows'],
  ['.github', 'workflows'],
].flatMap((path) => {
  const folder = join(root, ...path);
  const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));
  return names.map((name) => join(folder, name));
});

test('Dependabot moves the actions of all of them', () => {
  const { updates } = parse(read('.github', 'dependabot.yml'));
  const [, actions] = updates;
  // Of the root it reads `.github/workflows`.
  const folders = actions.directories.map((name: string) =>
    name === '/' ? '/.github/workflows' : name,
  );
  const places = workflows.map((file) => `/${relative(root, dirname(file))}`);
  expect(new Set(folders)).toEqual(new Set(places));
});

test.skipIf(actionlint === undefined)(`actionlint takes all workflows${linted}`, () => {
  expect(workflows).toHaveLength(12);
  lintWorkflows(workflows);
});

const audited = zizmor === undefined ? ' (skipped: no zizmor in PATH)' : '';

test.skipIf(zizmor === undefined)(`zizmor finds nothing in the workflows${audited}`, () => {
  const others = ['action.yml', '.github/dependabot.yml'].map((file) => join(root, file));
  auditWorkflows([...workflows, ...others]);
});

test.skipIf(!actionlint || !zizmor)(
  'the apply with the steps that sign its receipt is sound',
  () => {
    const [, steps = ''] =
      /```yaml\n( {6}- uses: actions\/attest[^]*?)```/u.exec(
        read('examples', 'workflows', 'README.md'),
      ) ?? [];
    const apply = read('examples', 'workflows', 'contract-sync-apply.yml')
      .replace(
        '      - uses: contract-sync/',
        '      - id: contracts\n        uses: contract-sync/',
      )
      .replace('    steps:\n', '      attestations: write # sign what landed\n    steps:\n');
    const file = join(makeFolder({ 'apply.yml': `${apply}${steps}` }), 'apply.yml');
    lintWorkflows([file]);
    auditWorkflows([file]);
  },
);

test('every action is pinned to one commit, with its version beside it', async () => {
  const pages = globSync(['*.md', '{.github,docs,examples}/**/*.md'], { cwd: root });
  const files = [...pages, ...workflows.map((file) => relative(root, file))];
  const used = files.flatMap((file) => [...read(file).matchAll(/^[ -]*uses: (?!\.\/)(.+)$/gmu)]);
  expect(used.length).toBeGreaterThan(20);
  const pins = new Map<string, string>();
  for (const [, pin = ''] of used) {
    const [, action = ''] = /^([\w./-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.exec(pin) ?? [];
    expect(action, pin).not.toBe('');
    expect(pin).toBe(pins.get(action) ?? pin);
    pins.set(action, pin);
  }
  const own = pins.get('contract-sync/contract-sync') ?? '';
  const [, commit = '', version = ''] = /@(\w+) # v(.+)$/u.exec(own) ?? [];
  // A shallow clone lacks the commit.
  const shown = await run('git', ['show', `${commit}:package.json`], { cwd: root });
  if (shown.code === 0) expect(JSON.parse(shown.stdout)).toMatchObject({ version });
});

test('the workflow that pulls runs the version of this package, and no later one', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(read('examples', 'workflows', 'contract-sync-pull.yml')).toContain(
    `npx --yes contract-sync@${version} pull`,
  );
});

test.each(['plan', 'apply', 'drift', 'pull', 'rollback'])(
  'the workflow for %s is sound',
  (name) => {
    expectSoundWorkflow(read('examples', 'workflows', `contract-sync-${name}.yml`));
  },
);
