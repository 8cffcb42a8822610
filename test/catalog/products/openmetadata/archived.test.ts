import { expect, test } from 'vitest';
import { kindOf } from '../../../../src/catalog/products/products.ts';
import { defaultLifecycle } from '../../../../src/contract/conventions.ts';
import { readOptionsOf } from '../../../../src/session.ts';
import { lenientRules } from '../../../support/rules.ts';
import { defaultOdcsRules } from '../../../../src/files/formats/odcs/settings.ts';

const known = (version: string) => ({ kind: 'known', product: 'openmetadata', version }) as const;

test.for<[version: string, seen: string, problem: string | undefined]>([
  ['1.12.6', 'Draft', 'OpenMetadata 1.12.6 has no status "Archived": it comes with 1.13.0.'],
  ['1.12.6', 'Archived', undefined],
  ['1.13.0', 'Draft', undefined],
  ['1.13.0-rc1', 'Draft', undefined],
  ['2.0', 'Draft', undefined],
])('the status Archived in release %s, where a contract is %s', ([version, seen, problem]) => {
  for (const setting of ['auto', 'openmetadata']) {
    const { statusProblem } = kindOf(setting, new Set([seen]), known(version));
    expect(statusProblem('Archived')?.message).toBe(problem);
    expect(statusProblem('Deprecated')).toBeUndefined();
  }
});

test.each(['auto', 'openmetadata'])(
  'files may say Archived in %s; ODCS means it less',
  (dialect) => {
    const rules = { lifecycle: defaultLifecycle, names: lenientRules.names };
    const { statuses, odcs } = readOptionsOf({ rules, odcs: defaultOdcsRules, dialect });
    expect([statuses?.includes('Archived'), odcs?.run.later]).toEqual([true, ['Archived']]);
    const own = { ...defaultLifecycle, statuses: [...defaultLifecycle.statuses, 'Archived'] };
    const configured = readOptionsOf({
      rules: { ...rules, lifecycle: own },
      odcs: defaultOdcsRules,
      dialect,
    });
    expect(configured.odcs?.run.later).toEqual([]);
  },
);
