import { chooseDialect, type DialectSetting } from '../catalog/dialects/choose.ts';
import type { Sample } from '../catalog/probe.ts';
import type { Check } from './examination.ts';

const subject = 'dialect';

/** What kind of catalog it is, by its first contract, and of which release. */
export function checkDialect(
  setting: DialectSetting,
  { contracts: [first] }: Sample,
  release: string | undefined,
): Check {
  const told = release === undefined ? 'its release is not told' : `release ${release}`;
  if (!first && setting === 'auto') {
    const message = `not to be told without a contract; ${told}`;
    return { subject, verdict: 'good', message };
  }
  const name = first ? chooseDialect(setting, first).name : setting;
  const reason = setting === 'auto' ? 'as its contracts are named' : 'as it is set';
  return { subject, verdict: 'good', message: `${name}, ${reason}; ${told}` };
}
