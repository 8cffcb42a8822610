import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePages } from '../../.ci/pages.ts';
import { summarizeOutcomes } from '../../src/apply/outcome.ts';
import { explanations } from '../../src/cli/reference.ts';
import { expectGolden } from '../support/golden.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

test('explain gives the meaning of a code, an example and the way out', async () => {
  const world = { folder: makeFolder() };
  const known = await runInProcess(['explain', '[column-removed]'], world);
  const unknown = await runInProcess(['explain', 'unkown-key'], world);
  expect([known.code, unknown.code]).toEqual([0, 1]);
  expectGolden(
    join(import.meta.dirname, 'golden', 'explain.txt'),
    `$ contract-sync explain column-removed\n${known.stdout}\n$ contract-sync explain unkown-key\n${unknown.stderr}`,
  );
});

test.each(Object.keys(summarizeOutcomes({}, [], []).summary))(
  'explain gives the meaning of the outcome %s, and what to do',
  async (outcome) => {
    const { code, stdout } = await runInProcess(['explain', outcome], { folder: makeFolder() });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^[a-z-]+ {2}(?:apply|review|files)\n {2}[A-Z].*[^]*\nWhat to do:\n {2}[A-Z]/u,
    );
    expect(stdout).not.toContain('--max-failures');
  },
);

test('every code of a message is explained', () => {
  const folder = join(root, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/^(?:sandbox|generated)/u.test(file),
  );
  const told = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [
      ...text.matchAll(
        /\b(?:code: |(?:Config|Sync|Issuer|Api)Error\(\s*)'([a-z0-9]+(?:-[a-z0-9]+)+)'/gu,
      ),
    ];
  });
  const codes = new Set(told.map(([, code = '']) => code));
  // A pattern that finds nothing would explain everything.
  expect(codes.size).toBeGreaterThan(150);
  expect([...codes].filter((code) => !Object.hasOwn(explanations, code)).toSorted()).toEqual([]);
});

test.each(Object.entries(makePages()))('%s is made of the sources (.ci/pages.ts)', (path, text) => {
  expectGolden(join(root, path), text);
});

test('the page of all codes is short: the meaning of each', () => {
  const page = readFileSync(join(root, 'docs', 'codes.md'), 'utf8');
  expect(page.split(/\s+/u).length).toBeLessThanOrEqual(1750);
  const others = ['apply.md', 'policy.md'].map((name) =>
    readFileSync(join(root, 'docs', name), 'utf8'),
  );
  const all = [page, ...others].join('');
  expect(Object.keys(explanations).filter((code) => !all.includes(`\`${code}\``))).toEqual([]);
});

test('--config with a folder is an error', async () => {
  const run = await runInProcess(['plan', '--config', '.'], { folder: makeFolder() });
  expect(run.stderr).toContain('error: "." is a folder. [unreadable-file]');
});

test.each(['nothing.yaml', 'nowhere/contract-sync.yaml'])(
  '--config %s, where there is no file, shows no line',
  async (config) => {
    const run = await runInProcess(['plan', '--config', config], { folder: makeFolder() });
    expect(run.stderr).toContain(
      `error: No file "${config}", or a broken symbolic link. [unreadable-file]\n`,
    );
    expect(run.stderr).not.toContain(':1:1');
  },
);
