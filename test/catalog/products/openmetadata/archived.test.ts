import { expect, test } from 'vitest';
import { openmetadata } from '../../../../src/catalog/products/openmetadata/openmetadata.ts';
import { readOptionsOf } from '../../../../src/config/settings.ts';
import { adoptConventions } from '../../../../src/plan/rules.ts';
import { lenientRules } from '../../../support/rules.ts';
import { defaultOdcsRules } from '../../../../src/files/formats/odcs/settings.ts';

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
