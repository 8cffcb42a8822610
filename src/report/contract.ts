import { isDeepStrictEqual } from 'node:util';
import {
  contractLabel,
  describeReference,
  parseReference,
  type PersonReference,
} from '../contract/identity.ts';
import type { Problem, Severity } from '../core/diagnostic.ts';
import { isArray, type JsonValue } from '../core/json.ts';
import type { DownstreamAsset } from '../contract/lineage.ts';
import { count } from '../core/text.ts';
import { patchOf } from '../plan/seal.ts';
import type { Change, ContractPlan, CreatePlan, Downstream, UpdatePlan } from '../plan/plan.ts';
import {
  changeSigns,
  type ChangeReport,
  type ContractReport,
  type FiledPlan,
  type Gathering,
  note,
  type Report,
  type Words,
} from './blocks.ts';
import { blameWords, isOfStatus, originWords } from './history.ts';
import { foldAlike, groupAlike, isShown, needsEyes } from './problems.ts';

export type ContractsView = {
  readonly all?: boolean | undefined;
  /** Epoch milliseconds: shows ages; without it days, for a text read at any time. */
  readonly now?: number | undefined;
  readonly verbose?: boolean | undefined;
  readonly handles?: Handles | undefined;
};

export function describeContracts(contracts: readonly ContractPlan[], view: ContractsView = {}) {
  return contracts
    .filter((contract) => contract.action !== 'unmanaged')
    .filter((contract) => view.all || needsEyes(contract))
    .map((contract) => describeContract(contract, view));
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
  return {
    label,
    team: contract.team,
    verdict: action,
    breaking: contract.problems.some(({ impact }) => impact === 'breaking'),
    gravity: action === 'blocked' || has('error') ? 'error' : has('warning') ? 'warning' : 'good',
    source,
    problems,
    downstream:
      'downstream' in contract && contract.downstream
        ? downstreamWords(contract.downstream, handles)
        : undefined,
    reasons: shown.filter(isReason),
    sent: verbose ? describeSent(contract) : undefined,
    ...('changes' in contract
      ? describeUpdate(contract, now)
      : { changes: [], brief: action === 'missing' ? [['not in the catalog']] : [] }),
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
    brief: [...fieldWords(changes), ...(blame === undefined ? [] : [[`status ${blame}`]])],
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

function fieldWords(changes: readonly Change[]): Words[] {
  const fields = Map.groupBy(changes, ({ path }) => path.split('/')[1] ?? '');
  return [...fields].map(([field, edits]) => {
    const inside = edits.filter(({ path }) => path.split('/').length > 2);
    const counted = (sign: string): number =>
      inside.filter(({ kind }) => changeSigns[kind] === sign).length;
    const [added, removed, changed] = [counted('added'), counted('removed'), counted('changed')];
    const counts = [
      added > 0 ? ` +${added}` : '',
      removed > 0 ? ` −${removed}` : '',
      // `~1` would read as "about 1".
      changed > 0 ? ` (${changed} changed)` : '',
    ];
    return [field, { text: counts.join(''), as: 'own' }];
  });
}

function reportChange(change: Change, now?: number): readonly ChangeReport[] {
  const { blame, ...others } = change;
  const { kind, path, from = '', inWords, label, before, after, source, carrier } = change;
  const movement =
    kind === 'move' ? `moved from ${lastToken(from)} to ${lastToken(path)}` : undefined;
  const whole = { sign: changeSigns[kind], label, before, after, source, carrier, ...inWords };
  return (describePeople(change) ?? [{ ...whole, movement }]).map((report) => {
    // A live value to be replaced has an author; one to be added does not.
    const isBlamed = report.sign !== 'added' || blame?.kind === 'removed';
    return { ...report, blame: originWords(blame && isBlamed ? change : others, now) };
  });
}

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Undefined for other values. */
export function describePeople(
  change: Partial<Change> & { readonly path: string },
): readonly ChangeReport[] | undefined {
  const [, field = '', ...deeper] = change.path.split('/');
  if ((field !== 'owners' && field !== 'reviewers') || deeper.length > 1) return undefined;
  const gone = referencesOf(change.before);
  const come = referencesOf(change.after);
  if (!gone || !come) return undefined;
  const shared = { label: field.slice(0, -1), source: change.source };
  const [before] = gone;
  const [after] = come;
  if (before && after && gone.length + come.length === 2) {
    const isRenamed = before.type === after.type && before.name !== undefined;
    const succession =
      isRenamed && after.name !== undefined
        ? { label: `${shared.label} ${before.type}`, before: before.name, after: after.name }
        : { before: describeReference(before), after: describeReference(after) };
    return [{ sign: 'changed', ...shared, ...succession }];
  }
  return [
    ...gone.map(
      (each) => ({ ...shared, sign: 'removed', before: describeReference(each) }) as const,
    ),
    ...come.map((each) => ({ ...shared, sign: 'added', after: describeReference(each) }) as const),
  ];
}

function referencesOf(value: JsonValue | undefined): readonly PersonReference[] | undefined {
  if (value === undefined) return [];
  const items = isArray(value) ? value : [value];
  const references = items.map(parseReference).filter((reference) => reference !== undefined);
  return references.length === items.length ? references : undefined;
}

export function gatherAlike(contracts: readonly ContractReport[]): Gathering[] {
  const alike = groupAlike(contracts, likenessOf);
  return contracts.flatMap((contract): Gathering[] => {
    const members = alike.get(contract);
    if (!members) return [alone(contract)];
    return members[0] === contract ? [{ shown: inCommonOf(contract, members), members }] : [];
  });
}

export function alone(contract: ContractReport): Gathering {
  return { shown: contract, members: [contract] };
}

// Equal for contracts that differ only in places of files, indices, versions and authors.
function likenessOf(contract: ContractReport): string {
  const { verdict, breaking, transition, changes, downstream, problems, reasons, sent } = contract;
  const without = { source: undefined, blame: undefined };
  return JSON.stringify([
    verdict,
    breaking,
    transition && { ...transition, ...without },
    changes.map((change) => ({ ...change, ...without, label: withoutIndices(change.label) })),
    downstream,
    sent,
    [...problems, ...reasons].map(({ code, severity, message, hint }) => [
      code,
      severity,
      message,
      hint,
    ]),
  ]);
}

// `schema[19 amount]` → `schema[amount]`.
function withoutIndices(label: string): string {
  return label.replaceAll(/\[\d+ /gu, '[');
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
    problems: foldAlike(members.flatMap(({ problems }) => problems)),
    changes: first.changes.map((change, index) => ({
      ...change,
      label: members.every(({ changes }) => changes[index]?.label === change.label)
        ? change.label
        : withoutIndices(change.label),
      ...inCommon(({ changes }) => changes[index]?.blame),
    })),
  };
}

/** By an owner's name, the GitHub handle that a comment mentions. */
type Handles = Readonly<Record<string, string>>;

// The plan as JSON has all of them.
const mostAssets = 10;
const mostOfEach = 3;

/** `read by  orders_daily.amount (finance) · dashboard Revenue (finance, contract Active)`. */
function downstreamWords(downstream: Downstream, handles: Handles = {}): Words {
  if ('unknown' in downstream) return faint(`downstream unknown: ${downstream.unknown}`);
  const { assets, contractsUnread } = downstream;
  // A catalog knows only the lineage that was reported to it, so there may be more.
  if (assets.length === 0) return faint("no downstream assets in the catalog's lineage");
  const left = assets.length - mostAssets;
  const parts = [
    ...assets.slice(0, mostAssets).map((asset) => readerWords(asset, handles)),
    ...(left > 0 ? [faint(`${left} more`)] : []),
    ...(contractsUnread ? [faint('their contracts were not asked for')] : []),
  ];
  return [...faint('read by'), '  ', ...join(parts, ' · ')];
}

function faint(text: string): Words {
  return [{ text, as: 'faint' }];
}

function join(parts: readonly Words[], separator: string): Words {
  return parts.flatMap((words, index) => (index === 0 ? words : [separator, ...words]));
}

function readerWords(asset: DownstreamAsset, handles: Handles = {}): Words {
  const { type, name, columns, owners, contract } = asset;
  const asides: readonly Words[] = [
    ...ownerWords(owners ?? ['owners unknown'], handles),
    ...(columns?.length === 0 ? [['other columns']] : []),
    ...(contract ? [[`contract ${contract.status ?? 'without a status'}`]] : []),
  ];
  const text = `${type === 'table' ? '' : `${type} `}${name}${columnText(columns)}`;
  const code = { text, as: 'code' } as const;
  if (asides.length === 0) return [code];
  return [code, { text: ' (', as: 'own' }, ...join(asides, ', '), { text: ')', as: 'own' }];
}

// The schema of the configuration lets no other Markdown through than a handle.
function ownerWords(owners: readonly string[], handles: Handles): readonly Words[] {
  const left = owners.length - mostOfEach;
  return [
    ...owners.slice(0, mostOfEach).map((owner): Words => {
      const handle = Object.hasOwn(handles, owner) ? handles[owner] : undefined;
      return [handle === undefined ? owner : { text: handle.replace(/^@?/u, '@'), as: 'own' }];
    }),
    ...(left > 0 ? [[count(left, 'more owner', 'more owners')]] : []),
  ];
}

function columnText(columns: DownstreamAsset['columns'] = []): string {
  const [first, ...others] = columns.slice(0, mostOfEach);
  if (others.length === 0) return first === undefined ? '' : `.${first}`;
  const more = columns.length > mostOfEach ? ', …' : '';
  return `.{${[first, ...others].join(', ')}${more}}`;
}

type DownstreamView = {
  readonly contract: string;
  readonly file?: string | undefined;
  readonly downstream: Downstream;
};

export function downstreamPage({ contract, file, downstream }: DownstreamView): Report {
  const assets = 'unknown' in downstream ? [] : downstream.assets;
  const rows = assets.map((asset) => ({
    cells: [readerWords(asset), [count(asset.distance, 'step', 'steps')]],
  }));
  const place: Words = file === undefined ? [] : ['  ', { text: file, as: 'faint' }];
  return {
    blocks: [
      { kind: 'heading', words: [{ text: contract, as: 'code' }, ...place] },
      rows.length === 0
        ? note(downstreamWords(downstream))
        : { kind: 'table', columns: ['Asset', 'Distance'], rows },
    ],
  };
}
