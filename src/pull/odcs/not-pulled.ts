/** What is told of what stays as an ODCS file says. Pure. */

import { contractLabel } from '../../contract/identity.ts';
import type { Diagnostic, SourcePosition } from '../../core/diagnostic.ts';
import { labelKeyPath } from '../../patch/key-path.ts';
import { parsePointer } from '../../patch/pointer.ts';
import type { Divergence } from '../divergence.ts';
import type { Reason } from './attempt.ts';
import type { Standing } from './standing.ts';

/** One line for each reason and field: which places stay, and why. */
export function tellNotPulled(
  difference: Divergence,
  remaining: Standing | undefined,
  reasons: ReadonlyMap<string, Reason>,
): Diagnostic[] {
  const places = (remaining?.differences ?? []).map(({ place }) => parsePointer(place) ?? []);
  const byField = Map.groupBy(places, ([field = '']) => field);
  return [...byField].map(([field, own]) => {
    const reason = reasons.get(field) ?? { kind: 'no-words' };
    return tell(difference, { field, labels: own.map(labelKeyPath), reason });
  });
}

type Untaken = {
  readonly field: string;
  readonly labels: readonly string[];
  readonly reason: Reason;
};

/** What a person can do in the file is an error; what nobody can say there is none. */
function tell({ live, desired }: Divergence, { field, labels, reason }: Untaken): Diagnostic {
  const message = `${listed(labels)} of ${contractLabel(live)} isn't pulled: ${because(reason)}`;
  const source = desired.locate([field]);
  if (reason.kind === 'no-words') {
    return {
      code: 'not-pulled',
      severity: 'warning',
      message,
      hint: 'An apply sets it to what the file says; leave the section out to keep it.',
      source,
    };
  }
  return {
    code: 'not-pulled',
    severity: 'error',
    message,
    hint: hints[reason.kind],
    source: placeOf(reason, source),
  };
}

function because(reason: Reason): string {
  switch (reason.kind) {
    case 'no-words':
      return 'ODCS has no words for what the catalog holds.';
    case 'variable':
      return 'the file has a variable there.';
    case 'shared':
      return 'the file says it once for several objects, and the catalog differs among them.';
    case 'refused':
      return reason.reason;
  }
}

const hints = {
  variable: 'Change the value of the variable, or write the text in its place.',
  shared: 'Make them alike in the catalog, or give the object a file of its own.',
  refused: 'Change the file by hand; `contract-sync plan` shows what differs.',
} as const;

function placeOf(reason: Reason, source: SourcePosition): SourcePosition {
  return reason.kind === 'refused' ? { ...source, line: reason.line, column: 1 } : source;
}

/** As many as a line holds. */
const mostLabels = 3;

function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, mostLabels).map((label) => `\`${label}\``);
  const more = labels.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
