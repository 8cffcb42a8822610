import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { expectGolden } from '../golden.ts';
import { actionTables } from './action-tables.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8');
const action = parse(read('action.yml'));
const sources = readdirSync(join(root, 'src', 'action'))
  .map((file) => read('src', 'action', file))
  .join('\n');

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

test('the tables of inputs and outputs are those of action.yml', () => {
  const file = join(root, 'examples', 'workflows', 'README.md');
  const [text = ''] = readFileSync(file, 'utf8').split('## Reference\n');
  expectGolden(file, `${text}## Reference\n\n${actionTables(action)}`);
});

const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')];
const actionlint = folders.map((folder) => join(folder, 'actionlint')).find(existsSync);
const linted = actionlint === undefined ? ' (skipped: no actionlint in PATH)' : '';

test.skipIf(actionlint === undefined)(`actionlint takes all workflows${linted}`, () => {
  const files = [
    ['examples', 'workflows'],
    ['.github', 'workflows'],
  ].flatMap((path) => {
    const folder = join(root, ...path);
    const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));
    return names.map((name) => join(folder, name));
  });
  expect(files).toHaveLength(5);
  // GitHub has `queue` since May 2026, and the release of actionlint that was the newest does not.
  const flags = ['-no-color', '-ignore', 'unexpected key "queue"'];
  // It prints what is wrong, and ends with 1.
  expect(execFileSync(actionlint ?? '', [...flags, ...files], { encoding: 'utf8' })).toBe('');
});

describe.each(['plan', 'apply', 'drift'])('the workflow for %s', (name) => {
  const text = read('examples', 'workflows', `contract-sync-${name}.yml`);
  const { jobs, permissions, concurrency } = parse(text);
  const steps: { uses?: string; with?: object; run?: string }[] = Object.values<{
    steps: [];
  }>(jobs).flatMap((job) => job.steps);

  test('gives the Action inputs that it has', () => {
    const ours = steps.filter(({ uses }) => uses?.startsWith('contract-sync/'));
    expect(ours).toHaveLength(1);
    for (const { with: inputs = {} } of ours) {
      for (const name of Object.keys(inputs)) expect(action.inputs).toHaveProperty(name);
    }
  });

  test('asks for each permission with its reason, and runs one at a time', () => {
    expect(permissions).toEqual({});
    expect(concurrency.group).toBeTruthy();
    expect(text).not.toMatch(/^ {6}\S+: (?:read|write)$/mu);
    expect(text).not.toContain('pull_request_target');
  });

  test('puts no output into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});
