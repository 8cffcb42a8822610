import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/root.ts';
import { test as propertyTest } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGlob } from '../../src/files/find/glob.ts';
import { adaptWorkflow, chooseInclude } from '../../src/init/files.ts';

describe('what a configuration names', () => {
  test.each([
    [['contracts/a.yaml', 'contracts/b/c.yml'], [], ['contracts']],
    [['a/x/1.yaml', 'a/y/2.yaml'], ['b.yaml'], ['a']],
    [['a.yaml', 'b.yml'], [], ['*.{yaml,yml}']],
    [['a.yaml'], ['docker-compose.yaml'], ['a.yaml']],
    [['s/a/contract.yaml', 's/b/contract.yaml'], ['s/a/helm.yaml'], ['s/**/contract.yaml']],
    [['s/a/o.odcs.yaml', 't/c.odcs.yaml'], ['s/a/helm.yaml'], ['**/*.odcs.yaml']],
    [
      ['s/a/o.yaml', 't/c.yaml'],
      ['s/b/x.yaml', 't/y.yaml'],
      ['s/a', 't/c.yaml'],
    ],
  ])('of %j beside %j is %j', (contracts, others, include) => {
    expect(chooseInclude(contracts, others)).toEqual(include);
  });

  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
    .chain((folders) =>
      fc
        .constantFrom('x.yaml', 'y.yml', 'o.odcs.yaml', 'p.odcs.yaml', 'contract.yaml')
        .map((name) => [...folders, name].join('/')),
    );
  const trees = fc.uniqueArray(path, { minLength: 1 }).chain((paths) =>
    fc.subarray(paths, { minLength: 1 }).map((contracts) => ({
      contracts,
      others: paths.filter((file) => !contracts.includes(file)),
    })),
  );

  propertyTest.prop([trees])('is the contracts and nothing beside them', (tree) => {
    const include = chooseInclude(tree.contracts, tree.others);
    const isNamed = (file: string) =>
      include.some((name) => file === name || file.startsWith(`${name}/`) || parseGlob(name)(file));
    expect(tree.contracts.filter((file) => !isNamed(file))).toEqual([]);
    expect(tree.others.filter(isNamed)).toEqual([]);
  });
});

test.each([
  [['contracts'], ['contracts/**']],
  [['contracts/**/*.{yaml,yml}'], ['contracts/**/*.yaml', 'contracts/**/*.yml']],
  [
    ['a.yaml', '**/*.odcs.yaml'],
    ['a.yaml', '**/*.odcs.yaml'],
  ],
  [['{a,b}/*.yaml'], ['**']],
  [['../shared'], ['**']],
])('the workflow for %j has the path filters %j', (include, filters) => {
  const file = join(root, 'examples/workflows/contract-sync-apply.yml');
  const place = { folder: '', environment: undefined, branch: 'main', isDefaultBranch: true };
  const workflow = adaptWorkflow('apply', readFileSync(file, 'utf8'), { ...place, include });
  expect(parse(workflow).on.push.paths).toEqual([...filters, 'contract-sync.yaml']);
});
