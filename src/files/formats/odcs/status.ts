import { entityStatuses } from '../../../contract/contract.ts';
import type { RestateRules } from '../../../contract/equality.ts';
import type { JsonObject, JsonValue } from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import type { MappingScope, Section } from './scope.ts';
import { type Stated, stateValue } from './refine.ts';

// ODCS word → its possible statuses: the first that the lifecycle has, else the last.
const knownWords: { readonly [word: string]: readonly string[] } = {
  draft: ['Draft'],
  proposed: ['Draft'],
  active: ['Active', 'Approved'],
  deprecated: ['Deprecated'],
  retired: ['Archived', 'Deprecated'],
};

// A catalog exports these as `draft`, so `draft` does not revert a review.
const draftsToo = ['In Review', 'Rejected', 'Unprocessed'];

export function mapStatus(scope: MappingScope): Stated | undefined {
  const word = scope.text(scope.document, 'status');
  if (!word) return undefined;
  const { value, pointer } = word;
  const status = statusOf(value, scope);
  const { settings, statuses } = scope;
  if (status === undefined) {
    const words = [...Object.keys(knownWords), ...Object.keys(settings.status)];
    const known: readonly string[] = statuses ?? entityStatuses;
    const meant = known.find((each) => normalWord(each) === normalWord(value)) ?? known[0];
    const message = `Unknown status ${quote(value)}.`;
    const hint =
      didYouMean(value, words) ??
      `Say which status it means, as in \`odcs.status: { ${quote(value)}: ${meant} }\`. The statuses are ${known.join(', ')}.`;
    scope.report({ code: 'unknown-status', message, hint, pointer });
  } else if (statuses && !statuses.includes(status)) {
    const message = `${quote(value)} means ${quote(status)}, which the lifecycle doesn't have.`;
    const hint = 'Say what it means with `odcs.status`, or add the status to `lifecycle.statuses`.';
    scope.report({ code: 'unknown-status', message, hint, pointer });
  } else {
    const isRetired = normalWord(value) === 'retired';
    const agrees = status === 'Draft' ? draftsToo : isRetired ? ['Archived'] : undefined;
    return stateValue(pointer, status, agrees);
  }
  return undefined;
}

function wordFor(
  status: string,
  scope: MappingScope,
  storedAs: (status: string) => string = (each) => each,
): string | undefined {
  const words = [...Object.keys(scope.settings.status), ...Object.keys(knownWords)];
  const exact = words.find((word) => {
    const meant = statusOf(word, scope);
    return meant !== undefined && storedAs(meant) === status;
  });
  if (exact === undefined && draftsToo.includes(status)) return wordFor('Draft', scope);
  return exact ?? (status === 'Archived' ? 'retired' : undefined);
}

function statusOf(word: string, { settings, run, statuses: own }: MappingScope) {
  const wanted = normalWord(word);
  const configured = Object.entries(settings.status).find(([key]) => normalWord(key) === wanted);
  if (configured) return configured[1];
  const candidates = Object.hasOwn(knownWords, wanted) ? (knownWords[wanted] ?? []) : [];
  const statuses: readonly string[] = own ?? entityStatuses;
  const isMeant = (status: string): boolean =>
    statuses.includes(status) && !run.later?.includes(status);
  return candidates.find(isMeant) ?? candidates.at(-1);
}

function normalWord(word: string): string {
  return word.toLowerCase().replaceAll(/\s/gu, '');
}

export function statusWord(
  status: JsonValue | undefined,
  { equivalence }: Pick<RestateRules, 'equivalence'>,
  scope: MappingScope,
): string | undefined {
  if (typeof status !== 'string') return undefined;
  return wordFor(status, scope, (meant) => {
    const stored = equivalence.asStored?.({ entityStatus: meant }, {})['entityStatus'];
    return typeof stored === 'string' ? stored : meant;
  });
}

export function restateStatus({ scope, rules, live }: Section): JsonObject {
  const document = scope.document.value;
  const word = statusWord(live['entityStatus'], rules, scope);
  if (word === undefined) return document;
  const { status: former } = document;
  const isCapital = typeof former === 'string' && /^\p{Lu}/u.test(former);
  return { ...document, status: isCapital ? word.slice(0, 1).toUpperCase() + word.slice(1) : word };
}
