import { editors } from './yaml-edits/editors.ts';
import { makeEdits } from './yaml-edits/edits.ts';
import { judge, type Verdict } from './yaml-edits/judge.ts';
import type { Limit } from './limit.ts';

const faults = ['other lines', 'comment lost', 'other value', 'refused'] as const;

/** Prints how many of 300 edits of YAML files leave everything else as it was. */
export function run(): readonly Limit[] {
  const edits = makeEdits();
  let ownFaults = edits.length;
  console.log(`| of ${edits.length} edits | clean | ${faults.join(' | ')} |`);
  console.log(`|---|---|${faults.map(() => '---|').join('')}`);
  for (const [name, editAll] of Object.entries(editors)) {
    const texts = editAll(edits);
    const verdicts = texts && edits.map((edit, at) => judge(edit, texts[at]));
    const amount = (verdict: Verdict) => verdicts?.filter((each) => each === verdict).length;
    if (name === 'contract-sync' && verdicts) ownFaults -= amount('clean') ?? 0;
    const cells = verdicts
      ? [`**${amount('clean')}**`, ...faults.map(amount)]
      : ['not installed', ...faults.map(() => '')];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  return [{ figure: 'our edits that are not clean', value: ownFaults, limit: 0 }];
}
