import { expect, test } from 'vitest';
import { askKind } from '../../../../src/catalog/kind.ts';
import { openmetadata } from '../../../../src/catalog/products/openmetadata/openmetadata.ts';
import { readOptionsOf } from '../../../../src/config/settings.ts';
import { adoptConventions } from '../../../../src/plan/rules.ts';
import { lenientRules } from '../../../support/rules.ts';
import { defaultOdcsRules } from '../../../../src/files/formats/odcs/settings.ts';

test.for<[version: string, from: string, problem: string | undefined]>([
  ['1.12.6', 'Draft', 'OpenMetadata 1.12.6 has no status "Archived": it comes with 1.13.0.'],
  ['1.12.6', 'Archived', undefined],
  ['1.13.0', 'Draft', undefined],
  ['1.13.0-rc1', 'Draft', undefined],
  ['2.0', 'Draft', undefined],
])('the status Archived in release %s, of a contract that is %s', async ([version, from, told]) => {
  const { product } = await askKind(async () => ({ version, revision: 'abc' }));
  const moveTo = (entityStatus: string) =>
    product.checkChange({ entityStatus: from }, { entityStatus });
  expect(moveTo('Archived')[0]?.message).toBe(told);
  expect(moveTo('Deprecated')).toEqual([]);
});

const readBy = (statuses?: readonly string[]) => {
  const lifecycle = statuses ? { statuses } : {};
  const rules = adoptConventions({ ...lenientRules, lifecycle }, openmetadata);
  return readOptionsOf({ rules, odcs: defaultOdcsRules, product: openmetadata });
};

test('files may say Archived, as may ODCS where the lifecycle has it', () => {
  const { statuses, odcs } = readBy();
  expect([statuses?.includes('Archived'), odcs?.run.later]).toEqual([true, ['Archived']]);
  expect(readBy(['Draft', 'Archived']).odcs?.run.later).toEqual([]);
});
