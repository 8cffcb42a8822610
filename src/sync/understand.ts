/** A live contract in the words of the files, and its plan. */

import type { DialectSetting, Kind } from '../catalog/products/products.ts';
import type { Product } from '../catalog/products/product.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { BaseContracts, ContractsSince } from '../files/base.ts';
import type { Base } from '../plan/drift.ts';
import { planContract } from '../plan/contract-plan.ts';
import { createMatcher } from '../plan/match.ts';
import type { ContractPlan, FormerFile, Plan } from '../plan/plan.ts';
import { blockedBy, type People } from '../plan/references.ts';
import { adoptConventions, type Rules } from '../plan/rules.ts';
import { planUnmanaged } from '../plan/unmanaged.ts';

/** The commit whose files are the base of a contract. */
export type CommittedBase = Base & {
  readonly commit: string;
  /** Whether the plan is that of the whole default branch: then a contract without a file has lost it. */
  readonly isPlain: boolean;
};

export type BaseOf = (live: LiveContract) => CommittedBase | undefined;

const brought = ['not-applied'] as const;

/** What was declared of a contract at the base; undefined where there is no base. */
export function createBase({ base, laterBases = [] }: Bases): BaseOf {
  const always = base ? [{ has: () => true, base }] : [];
  const bases = [...laterBases, ...always].map(
    ({ has, base: { commit, isHead, isDefault, contracts } }) => ({
      has,
      commit,
      // Nothing is merged on top of it: the plan is that of the last merge.
      holdsWhere: isHead ? brought : [],
      isPlain: isHead && isDefault === true,
      matcher: createMatcher(contracts),
    }),
  );
  return (live) => {
    const own = bases.find(({ has }) => has(live));
    const declared = own && (own.matcher.match(live) ?? own.matcher.movedTo(live));
    return (
      own && { declared, commit: own.commit, holdsWhere: own.holdsWhere, isPlain: own.isPlain }
    );
  };
}

type Bases = {
  readonly base?: BaseContracts;
  readonly laterBases?: readonly ContractsSince[];
};

/** A contract in the words of the files, and the rules by which it is compared. */
export type Understood = { readonly live: LiveContract; readonly rules: Rules };

/** A live contract and its file, if it has one, with the rules by which the two are compared. */
export type ReadContract = {
  readonly live: LiveContract;
  readonly rules: Rules;
  readonly desired?: DesiredContract;
};

export type FormerFileOf = (live: LiveContract) => FormerFile | undefined;

/** Which file declared a contract once: at the base, or before the files of a run were changed. */
export function createFormerFiles(earlier: readonly BaseContracts[]): FormerFileOf {
  const matchers = earlier.map(({ revision, contracts }) => ({
    until: revision,
    matcher: createMatcher(contracts),
  }));
  return (live) => {
    for (const { until, matcher } of matchers) {
      const then = matcher.match(live) ?? matcher.movedTo(live);
      if (then) return { file: then.source.file, until };
    }
    return undefined;
  };
}

/** A dialect that the catalog may speak, and the rules of a run in it. */
export type DialectRules = { readonly dialect: Product; readonly rules: Rules };

/** The ways to read a catalog's contracts: one where its kind is known. */
export function dialectRules(
  [first, ...others]: Kind['possible'],
  { rules, dialect: setting }: { readonly rules: Rules; readonly dialect: DialectSetting },
): readonly [DialectRules, ...DialectRules[]] {
  const read = (dialect: Product): DialectRules => ({
    dialect,
    rules: adoptConventions(rules, dialect, setting !== 'auto'),
  });
  return [read(first), ...others.map(read)];
}

export function understand(listed: LiveContract, { dialect, rules }: DialectRules): Understood {
  return { live: dialect.fromWire(listed), rules };
}

/** What it takes to plan a contract beside its file. */
type Context = {
  readonly people: People;
  readonly baseOf: (live: LiveContract) => (Base & { readonly isPlain?: boolean }) | undefined;
  /** The file that declared it, where none does any more. */
  readonly hadFile?: FormerFile | undefined;
};

/** The plan of one live contract; undefined: it is none of ours. */
export function planUnderstood(
  { live, rules }: Understood,
  declared: DesiredContract | undefined,
  { people, baseOf, hadFile }: Context,
): ContractPlan | undefined {
  const inItsWords = (file: DesiredContract) =>
    people.resolve(file.refine?.(live) ?? file, live.document);
  const then = baseOf(live);
  const base = then && { ...then, declared: then.declared && inItsWords(then.declared).desired };
  if (!declared) return planUnmanaged(live, rules, then?.isPlain ? undefined : base, hadFile);
  const { desired, problems } = inItsWords(declared);
  return blockedBy(planContract(live, desired, rules, base), problems);
}

/** The plan with the dialect that it was made in, where that is known. */
export function withDialect(
  plan: Plan,
  { dialect: { name }, release }: Pick<Kind, 'dialect' | 'release'>,
): Plan {
  const { formatVersion, catalogUrl, ...rest } = plan;
  if (name === 'auto') return plan;
  const dialect = { name, ...(release !== undefined && { release }) };
  return { formatVersion, catalogUrl, dialect, ...rest };
}
