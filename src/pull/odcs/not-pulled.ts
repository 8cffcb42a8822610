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
      hint: 'An apply sets it to what the file says. Remove the section from the file to keep it.',
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
      return "ODCS can't express the catalog's value.";
    case 'variable':
      return 'the file has a variable there.';
    case 'shared':
      return 'several objects share it in the file but differ in the catalog.';
    case 'refused':
      return reason.reason;
  }
}

const hints = {
  variable: 'Change the value of the variable, or replace the variable with the text.',
  shared: 'Make them equal in the catalog, or move the object to its own file.',
  refused: 'Change the file yourself. `contract-sync plan` shows what differs.',
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
