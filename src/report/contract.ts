import { isDeepStrictEqual } from 'node:util';
import {
  contractLabel,
  describeReference,
  parseReference,
  type PersonReference,
} from '../contract/identity.ts';
import type { Problem, Severity } from '../core/diagnostic.ts';
import { isArray, type JsonValue } from '../core/json.ts';
import { formatAge, formatDay } from '../core/time.ts';
import { patchOf } from '../plan/change.ts';
import type { Change, ContractPlan, CreatePlan, LiveBlame, UpdatePlan } from '../plan/plan.ts';
import type { ChangeReport, ContractReport, FiledPlan, Gathering } from './blocks.ts';
import { downstreamWords, type Handles } from './downstream.ts';
import { isShown } from './problems.ts';

export type ContractsView = {
  readonly all?: boolean | undefined;
  /** Epoch milliseconds: shows ages; without it days, for a text read at any time. */
  readonly now?: number | undefined;
  /** Shows patches and documents too. */
  readonly verbose?: boolean | undefined;
  readonly handles?: Handles | undefined;
};

export function describeContracts(contracts: readonly ContractPlan[], view: ContractsView = {}) {
  return contracts
    .filter((contract) => contract.action !== 'unmanaged')
    .filter((contract) => view.all || needsEyes(contract))
    .map((contract) => describeContract(contract, view));
}

export function needsEyes(contract: ContractPlan): boolean {
  if (contract.action === 'unmanaged')
    return contract.hadFile !== undefined || (contract.inScope ?? false);
  return contract.action !== 'unchanged' || contract.problems.length > 0;
}

function describeContract(contract: FiledPlan, view: ContractsView): ContractReport {
  const { action, source } = contract;
  const { all, now, verbose, handles } = view;
  const label = contractLabel(contract);
  const shown = contract.problems
    .filter((problem) => all || isShown(problem))
    .map((problem) => ({ ...problem, contract: label, breaking: problem.impact === 'breaking' }));
  const isReason = ({ severity }: Problem): boolean => action === 'missing' && severity !== 'error';
  const problems = shown.filter((problem) => !isReason(problem));
  const has = (wanted: Severity) => problems.some(({ severity }) => severity === wanted);
  const gravity = has('warning') ? 'warning' : 'good';
  return {
    label,
    team: contract.team,
    verdict: action,
    breaking: contract.problems.some(({ impact }) => impact === 'breaking'),
    gravity: action === 'blocked' || has('error') ? 'error' : gravity,
    source,
    problems,
    downstream:
      'downstream' in contract && contract.downstream
        ? downstreamWords(contract.downstream, handles)
        : undefined,
    reasons: shown.filter(isReason),
    sent: verbose ? describeSent(contract) : undefined,
    ...('changes' in contract ? describeUpdate(contract, now) : { changes: [], fields: [] }),
  };
}

function describeSent(contract: FiledPlan): ContractReport['sent'] {
  if (contract.action === 'create') return { kind: 'document', values: [contract.document] };
  if (contract.action !== 'update') return undefined;
  return { kind: 'patch', values: patchOf(contract.changes) };
}

function describeUpdate(contract: UpdatePlan | CreatePlan, now: number | undefined) {
  const { transition } = contract;
  const move = contract.changes.find(isOfStatus);
  const changes = contract.changes.filter((change) => !transition || change !== move);
  const blame = move?.blame && blameWords(move.blame, now);
  return {
    transition: transition && { ...transition, source: move?.source, blame },
    versions: 'liveVersion' in contract ? describeVersions(contract) : undefined,
    changes: changes.flatMap((change) => reportChange(change, now)),
    fields: describeFields(changes),
  };
}

// The catalog may count a change together with an earlier one: then the version stays.
function describeVersions({ liveVersion: before, predictedVersions }: UpdatePlan) {
  if (before === undefined) return undefined;
  const next = predictedVersions.filter((version) => version !== before).join(' or ');
  if (next === '') return { before };
  const isSure = next === predictedVersions.join(' or ');
  return { before, expected: isSure ? next : `${next}, or still ${before}` };
}

export function isOfStatus({ path }: { readonly path: string }): boolean {
  return path === '/entityStatus';
}

function describeFields(changes: readonly Change[]): ContractReport['fields'] {
  const fields = Map.groupBy(changes, ({ path }) => path.split('/')[1] ?? '');
  return [...fields].map(([field, edits]) => {
    const inside = edits.filter(({ path }) => path.split('/').length > 2);
    const counts = Object.entries(elementSigns).map(([sign, symbol]) => {
      const of = inside.filter(({ kind }) => changeSigns[kind] === sign).length;
      return of > 0 ? ` ${symbol}${of}` : '';
    });
    return { field, edits: counts.join('') };
  });
}

const elementSigns = { added: '+', removed: '−', changed: '~' } as const;

function reportChange(change: Change, now?: number): readonly ChangeReport[] {
  const { blame, ...others } = change;
  const { kind, path, from = '', inWords, label, before, after, source, carrier } = change;
  const [old, place] = [from, path].map((pointer) => pointer.slice(pointer.lastIndexOf('/') + 1));
  const movement = kind === 'move' ? `moved from ${old} to ${place}` : undefined;
  const whole = { sign: changeSigns[kind], label, before, after, source, carrier, ...inWords };
  return (describePeople(change) ?? [{ ...whole, movement }]).map((report) => {
    // A live value to be replaced has an author; one to be added does not.
    const isBlamed = report.sign !== 'added' || blame?.kind === 'removed';
    return { ...report, blame: originWords(blame && isBlamed ? change : others, now) };
  });
}

/** `edited in the catalog; set by mira, 3 days ago, in 1.4`; undefined where nothing is known. */
export function originWords(
  { cause, mergedIn, waitsFor, unknown, blame }: Partial<Change>,
  now: number | undefined,
): string | undefined {
  const words = [
    ...(mergedIn === undefined ? [] : [mergedWords(mergedIn, waitsFor)]),
    ...(unknown === undefined ? [] : [`not known: ${unknown}`]),
    ...(cause === 'drift' && unknown === undefined ? ['edited in the catalog'] : []),
    ...(blame ? [blameWords(blame, now)] : []),
  ];
  return words.length > 0 ? words.join('; ') : undefined;
}

export function mergedWords(commit: string, waitsFor?: number): string {
  if (waitsFor !== undefined) return `waiting for #${waitsFor}`;
  return `merged in ${commit.slice(0, 7)}, not applied yet`;
}

/** `set by mira, 3 days ago, in 1.4 (not from a commit)`; with a day where `now` is absent. */
function blameWords(blame: LiveBlame, now?: number): string {
  const { kind, user, updatedAt, version, provenance } = blame;
  // The author of the first known version need not have set the value.
  if (kind === 'known-since' && version !== '0.1')
    return `set in ${version ?? 'the first known version'} or before`;
  const words = [
    `${kind === 'known-since' ? 'set' : kind}${user === undefined ? '' : ` by ${user}`}`,
    ...(updatedAt === undefined
      ? []
      : [now === undefined ? `on ${formatDay(updatedAt)}` : formatAge(updatedAt, now)]),
    ...(version === undefined ? [] : [`in ${version}`]),
  ].join(', ');
  return provenance ? `${words} (${sourceWords(provenance)})` : words;
}

export function sourceWords(provenance: NonNullable<LiveBlame['provenance']>): string {
  if (provenance.kind === 'no-commit') return 'not from a commit';
  const commit = provenance.commit.slice(0, 7);
  return provenance.kind === 'git' ? `git ${commit}` : `in git since ${commit}`;
}

export const changeSigns: Readonly<Record<Change['kind'], ChangeReport['sign']>> = {
  add: 'added',
  remove: 'removed',
  replace: 'changed',
  move: 'changed',
};

const people = { owners: 'owner', reviewers: 'reviewer' } as const;

function describePeople(change: Change): readonly ChangeReport[] | undefined {
  const [, field = '', ...deeper] = change.path.split('/');
  if ((field !== 'owners' && field !== 'reviewers') || deeper.length > 1) return undefined;
  const [gone, come] = [referencesOf(change.before), referencesOf(change.after)];
  if (!gone || !come) return undefined;
  const shared = { label: people[field], source: change.source };
  const [before, after] = [gone[0], come[0]];
  if (before && after && gone.length + come.length === 2)
    return [{ sign: 'changed', ...shared, ...succession(shared.label, before, after) }];
  return [
    ...gone.map(
      (each) => ({ ...shared, sign: 'removed', before: describeReference(each) }) as const,
    ),
    ...come.map((each) => ({ ...shared, sign: 'added', after: describeReference(each) }) as const),
  ];
}

function succession(label: string, before: PersonReference, after: PersonReference) {
  return before.type === after.type && before.name !== undefined && after.name !== undefined
    ? { label: `${label} ${before.type}`, before: before.name, after: after.name }
    : { before: describeReference(before), after: describeReference(after) };
}

function referencesOf(value: JsonValue | undefined): readonly PersonReference[] | undefined {
  if (value === undefined) return [];
  const items = isArray(value) ? value : [value];
  const references = items.map(parseReference).filter((reference) => reference !== undefined);
  return references.length === items.length ? references : undefined;
}

const fewestAlike = 3;

export function groupAlike<Each>(all: readonly Each[], likeness: (each: Each) => string) {
  const groups = [...Map.groupBy(all, likeness).values()];
  const large = groups.filter(({ length }) => length >= fewestAlike);
  return new Map(large.flatMap((members) => members.map((each) => [each, members] as const)));
}

export function gatherAlike(contracts: readonly ContractReport[]): Gathering[] {
  // A problem has a place and a hint of its own, which a group would lose.
  const candidates = contracts.filter(({ problems }) => problems.length === 0);
  const alike = groupAlike(candidates, likenessOf);
  return contracts.flatMap((contract): Gathering[] => {
    const members = alike.get(contract);
    if (!members) return [alone(contract)];
    return members[0] === contract ? [{ shown: inCommonOf(contract, members), members }] : [];
  });
}

export function alone(contract: ContractReport): Gathering {
  return { shown: contract, members: [contract] };
}

// Equal for contracts that differ only in places of files, versions and authors.
function likenessOf(contract: ContractReport): string {
  const { verdict, breaking, transition, changes, downstream, reasons, sent } = contract;
  const without = { source: undefined, blame: undefined };
  return JSON.stringify([
    verdict,
    breaking,
    transition && { ...transition, ...without },
    changes.map((change) => ({ ...change, ...without })),
    downstream,
    sent,
    reasons.map(({ code, message, hint }) => [code, message, hint]),
  ]);
}

function inCommonOf(first: ContractReport, members: readonly ContractReport[]): ContractReport {
  const { transition, versions } = first;
  const isSameVersion = members.every((each) => isDeepStrictEqual(each.versions, versions));
  const inCommon = (blameOf: (each: ContractReport) => string | undefined) => {
    const [blame, ...others] = new Set(members.map(blameOf));
    const words = others.length > 0 ? 'who set it, and when, differs by contract' : blame;
    return { source: undefined, blame: words };
  };
  return {
    ...first,
    versions: isSameVersion ? versions : undefined,
    transition: transition && { ...transition, ...inCommon((each) => each.transition?.blame) },
    changes: first.changes.map((change, index) => ({
      ...change,
      ...inCommon(({ changes }) => changes[index]?.blame),
    })),
  };
}
