/** Random repositories, catalogs and selections: what a narrowed plan may be about. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { noRepository } from './support/git-folder.ts';
import { standard } from '../src/catalog/products/standard.ts';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { CatalogReader } from '../src/catalog/catalog.ts';
import { DiagnosticsError } from '../src/core/diagnostic.ts';
import { resolveOdcs } from '../src/config/rules.ts';
import { type DesiredContract, parseLiveContract } from '../src/contract/contract.ts';
import { contractLabel } from '../src/contract/identity.ts';
import { canonicalSegments } from '../src/contract/names.ts';
import { type ContractPlan, type Plan, plannedChanges } from '../src/plan/plan.ts';
import type { Rules } from '../src/plan/rules.ts';
import type { Selection } from '../src/plan/selection.ts';
import { planFiles } from '../src/commands/plan.ts';
import { lenientRules } from './support/rules.ts';

const names = ['sales.orders', 'sales.order', 'sales.carts', 'support.tickets', 'support.ticket'];
const folders = ['contracts', 'contracts/sales', 'contracts/support'];
const paths = folders.flatMap((folder) => ['a', 'b', 'c'].map((name) => `${folder}/${name}.yaml`));

type Declared = { readonly name: string; readonly text: string; readonly isOdcs: boolean };
type File = { readonly declared: readonly Declared[]; readonly isBroken: boolean };
type Live = { readonly name: string; readonly status: string; readonly text: string };

/** All that a run depends on. */
export type Situation = {
  readonly files: Readonly<Record<string, File>>;
  readonly live: readonly Live[];
  /** What the changed files have declared, by name. */
  readonly before: Readonly<Record<string, string>>;
  readonly unmanaged: 'ignore' | 'report' | 'deprecate';
  readonly scope: readonly string[];
  readonly selection: {
    readonly only: readonly string[];
    readonly exclude: readonly string[];
    readonly changed?: readonly string[] | undefined;
    readonly paths?: readonly string[] | undefined;
  };
};

const text = fc.constantFrom('Old.', 'New.', 'New.');
const rarely = (of: number) => fc.integer({ min: 1, max: of }).map((dice) => dice === of);

/** Where each name is declared: in one file, in none, or now and then in two. */
const placed = fc.tuple(
  ...names.map((name) =>
    fc.record({
      name: fc.constant(name),
      text,
      isOdcs: rarely(3),
      at: fc.uniqueArray(fc.constantFrom(...paths), { minLength: 0, maxLength: 1 }),
      again: fc.oneof({ weight: 40, arbitrary: fc.constant([]) }, fc.constant([paths[0] ?? ''])),
    }),
  ),
);

const files = fc
  .tuple(placed, fc.array(rarely(12), { minLength: paths.length, maxLength: paths.length }))
  .map(([contracts, broken]) =>
    Object.fromEntries(
      paths.flatMap((path, index): [string, File][] => {
        const declared = contracts.filter(({ at, again }) => [...at, ...again].includes(path));
        return declared.length === 0
          ? []
          : [[path, { declared, isBroken: broken[index] ?? false }]];
      }),
    ),
  )
  .filter((found) => Object.keys(found).length > 0);

const live = fc
  .tuple(
    ...names.map((name) =>
      fc.option(
        fc.record({
          name: fc.constant(name),
          text,
          status: fc.constantFrom('Draft', 'Active', 'Deprecated'),
        }),
        { nil: undefined },
      ),
    ),
  )
  .map((all) => all.filter((each) => each !== undefined));

/** Mostly of what is there, so that most selections select something. */
function selectionIn(found: readonly string[]): fc.Arbitrary<Situation['selection']> {
  const path = fc.constantFrom(...found, ...found.map((file) => dirname(file)));
  const pattern = fc.oneof(
    fc.constantFrom('lake.**', 'lake.sales.**', '**.orders', 'lake.support.*'),
    fc.constantFrom(...found),
  );
  const few = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(pattern, { minLength: 1, maxLength: 2 }),
  );
  return fc
    .record({
      only: few,
      exclude: few,
      changed: fc.option(fc.subarray([...paths], { minLength: 3 }), { nil: undefined, freq: 2 }),
      paths: fc.option(fc.array(path, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 2 }),
    })
    .filter((each) => each.exclude.length === 0 || each.only.length === 0);
}

export const situation: fc.Arbitrary<Situation> = files.chain((found) =>
  fc.record({
    files: fc.constant(found),
    live,
    before: fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...paths), { maxKeys: 4 }),
    unmanaged: fc.constantFrom('ignore' as const, 'report' as const, 'deprecate', 'deprecate'),
    scope: fc.constantFrom(['lake.**'], ['lake.sales.**']),
    selection: selectionIn(Object.keys(found)),
  }),
);

/**
 * The whole plan, the narrowed one, and the whole one as it would be without broken files. No
 * narrowed plan is made where a pattern of the selection matches nothing.
 */
export async function planSituation(given: Situation): Promise<{
  readonly whole: Plan;
  readonly narrowed: Plan | undefined;
  readonly sound: Plan;
}> {
  const root = mkdtempSync(join(tmpdir(), 'contract-sync-narrowing-'));
  try {
    for (const [at, content] of Object.entries(given.files)) writeFile(join(root, at), content);
    const broken = Object.keys(given.files).filter((at) => isUnusable(given.files, at));
    const run = (selection: Situation['selection'], exclude: readonly string[] = []) =>
      planFolder({ ...given, selection }, root, exclude);
    const everything = { only: [], exclude: [] };
    return {
      whole: await run(everything),
      narrowed: await run(given.selection).catch(whereNothingMatches),
      sound: await run(everything, broken),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function whereNothingMatches(error: unknown): undefined {
  if (!(error instanceof DiagnosticsError && error.code === 'nothing-selected')) throw error;
}

/** Broken, or it declares what another file declares too. */
function isUnusable(all: Situation['files'], at: string): boolean {
  const { declared = [], isBroken = false } = all[at] ?? {};
  const others = Object.entries(all)
    .filter(([other]) => other !== at)
    .flatMap(([, file]) => file.declared);
  const elsewhere = new Set(others.map((each) => each.name));
  return isBroken || declared.some((each) => elsewhere.has(each.name));
}

function writeFile(at: string, { declared, isBroken }: File): void {
  mkdirSync(dirname(at), { recursive: true });
  const documents = declared.map((each) => (each.isOdcs ? odcsText(each) : nativeText(each)));
  writeFileSync(
    at,
    isBroken ? `${documents.join('---\n')}---\ndescripton: 1\n` : documents.join('---\n'),
  );
}

function nativeText({ name: of, text: description }: Declared): string {
  return `fullyQualifiedName: lake.${of}\ndescription: ${description}\n`;
}

function odcsText({ name: of, text: description }: Declared): string {
  return `apiVersion: v3.0.2
kind: DataContract
id: ${of}
version: 1.0.0
status: draft
description: { purpose: ${description} }
servers: [{ server: prod, type: kafka, host: "kafka:9092" }]
schema: [{ name: ${of} }]
`;
}

const odcs = resolveOdcs(
  {
    settings: { odcs: { entity: [{ is: 'lake.{object.name}' }], fields: ['description'] } },
    locate: () => ({ file: 'contract-sync.yaml', line: 1, column: 1 }),
  },
  '2026-01-01',
);

async function planFolder(
  { live: contracts, before, unmanaged, scope, selection }: Situation,
  root: string,
  exclude: readonly string[],
): Promise<Plan> {
  const { paths: named, changed, ...patternsOf } = selection;
  const source = { file: 'contract-sync.yaml', line: 1, column: 1 };
  const rules: Rules = {
    ...lenientRules,
    scope: scope.map(canonicalSegments),
    unmanaged: unmanaged === 'deprecate' ? { rule: unmanaged, source } : { rule: unmanaged },
    limits: { ...lenientRules.limits, from: 100 },
  };
  const selected: Selection = {
    ...patternsOf,
    ...(changed && { changed: { since: 'main', has: (at) => changed.includes(at) } }),
  };
  const declaredBefore = Object.entries(before)
    .filter(([, at]) => changed?.includes(at))
    .map(([of, at]) => declaration(of, at));
  return planFiles({
    catalogUrl: 'http://catalog.test/api',
    files: { root, include: ['contracts/**/*.yaml'], exclude, ...(named && { named }) },
    repository: noRepository,
    reader: readerOf(contracts),
    rules,
    odcs,
    product: standard,
    selection: selected,
    ...(changed && { before: { revision: 'main', contracts: declaredBefore } }),
  });
}

function declaration(of: string, at: string): DesiredContract {
  const source = { file: at, line: 1, column: 1 };
  return {
    identity: { fullyQualifiedName: `lake.${of}` },
    managed: {},
    source,
    locate: () => source,
  };
}

const refuse = async () => Promise.reject(new Error('not asked'));

/** Of which nothing but lists is asked. */
function readerOf(contracts: readonly Live[]): CatalogReader {
  const documents = contracts.map(({ name: of, status, text: description }) => ({
    id: `00000000-0000-4000-8000-00000000000${names.indexOf(of)}`,
    name: of,
    fullyQualifiedName: `lake.${of}`,
    entity: { fullyQualifiedName: `lake.${of}` },
    entityStatus: status,
    version: 0.1,
    description,
  }));
  const listed = documents.map(parseLiveContract).filter((each) => each !== undefined);
  return {
    async *list() {
      yield { contracts: listed, total: listed.length };
    },
    fetchContract: async () => undefined,
    fetchCaller: async () => undefined,
    fetchEntity: async () => undefined,
    fetchOwners: async () => undefined,
    fetchLineage: async () => undefined,
    versions: refuse,
  };
}

/** What is wrong with a narrowed plan, in words: nothing, where narrowing has only left out. */
export function complaints({
  whole,
  narrowed,
  sound,
}: Awaited<ReturnType<typeof planSituation>>): string[] {
  if (narrowed?.planHash === undefined) return [];
  const wide = whole.planHash === undefined ? sound : whole;
  const known = new Set(plannedChanges(wide).map(({ fingerprint }) => fingerprint));
  const extra = plannedChanges(narrowed).filter(({ fingerprint }) => !known.has(fingerprint));
  const retired = whole.planHash === undefined ? plannedChanges(narrowed).filter(isRetirement) : [];
  const lost = whole.planHash === undefined ? [] : unaccountedFor(whole, narrowed);
  const lifted = whole.errored && !narrowed.errored ? ambiguities(whole, narrowed) : [];
  return [
    ...extra.map((contract) => `only the narrowed plan changes ${contractLabel(contract)}`),
    ...retired.map((contract) => `${contractLabel(contract)} may be in a broken file`),
    ...lost.map((label) => `${label} is neither planned nor left out`),
    ...lifted,
  ];
}

function isRetirement({ problems }: { readonly problems: readonly { readonly code: string }[] }) {
  return problems.some(({ code }) => code === 'contract-without-file');
}

const isTold = (contract: ContractPlan): boolean => contract.action !== 'unmanaged';

function unaccountedFor(whole: Plan, narrowed: Plan): string[] {
  const told = new Set([
    ...narrowed.contracts.filter(isTold).map(contractLabel),
    ...(narrowed.selection?.leftOut ?? []),
  ]);
  return whole.contracts
    .filter(isTold)
    .map(contractLabel)
    .filter((label) => !told.has(label));
}

/** Two files that claim one contract stop a narrowed plan that is about either. */
function ambiguities(whole: Plan, narrowed: Plan): string[] {
  const files = new Set(
    narrowed.contracts.flatMap((contract) => ('source' in contract ? [contract.source.file] : [])),
  );
  return whole.diagnostics
    .filter(({ code, source }) => code === 'duplicate-contract' && files.has(source?.file ?? ''))
    .map(({ message }) => `no longer told: ${message}`);
}
