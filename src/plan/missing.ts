import type { DesiredContract, Identity } from '../contract/contract.ts';
import { type Partner, wrongMember } from '../contract/strays.ts';
import { qualifiedNames, strongestKind } from '../contract/identity.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';
import type { Pointer } from '../patch/pointer.ts';
import { namesOf } from './contract-plan.ts';
import { judgeScope } from './judge.ts';
import type { MissingPlan } from './plan.ts';
import type { Missing, Rules } from './rules.ts';

/** What has been found in the place of a contract. */
export type Instead = {
  /** The id of the contract itself, which is deleted and can be restored. */
  readonly deleted?: string | undefined;
  /** A live contract without a file that may be meant. */
  readonly partner?: Partner | undefined;
  /** Whether the catalog can be told to create contracts. */
  readonly canCreate?: boolean;
};

/** A file whose contract the catalog does not have, and what it has instead. */
export function planMissing(
  file: DesiredContract,
  { scope, missing, create }: Rules,
  { deleted, partner, canCreate = false }: Instead = {},
): MissingPlan {
  const { identity, source } = file;
  const { entity } = identity;
  const id = deleted ?? identity.id;
  const names = qualifiedNames(identity);
  return {
    action: 'missing',
    ...(id !== undefined && { id }),
    ...namesOf(identity),
    ...(entity && { entity }),
    source,
    problems: [
      // What a file means by its id alone shows its name once the catalog has it.
      ...(names.length > 0 ? judgeScope(names, source, scope) : []),
      deleted === undefined
        ? missingProblem(file, missing, { partner, canCreate, isWanted: create })
        : deletedProblem(source, missing, deleted),
    ],
  };
}

/** The contract is there, and lists do not show it. */
export function deletedProblem(source: SourcePosition, rule: Missing, id: string): Problem {
  return {
    code: 'contract-deleted',
    severity: rule === 'error' ? 'error' : 'warning',
    message: 'The contract is soft-deleted in the catalog.',
    hint: `Restore it with the catalog's API (id ${id}), or delete it there for good.`,
    source,
  };
}

function missingProblem(
  file: DesiredContract,
  rule: Missing,
  { partner, canCreate = false, isWanted }: Instead & { readonly isWanted: boolean },
): Problem {
  const limit = isWanted
    ? '--create is for catalogs of the dialect openmetadata alone.'
    : 'contracts are updated, never created.';
  const never = canCreate
    ? 'or create it with `create: true` or --create, which take its `name` and `entity`.'
    : limit;
  const correct =
    partner === undefined
      ? `Create it in the catalog first, or correct its identity${canCreate ? ', ' : ': '}${never}`
      : `${wayBack(partner, file)} If not, create it in the catalog first${canCreate ? ', ' : ': '}${never}`;
  const permit = ' If your files come first, set `missing: report` in the configuration.';
  return {
    code: 'contract-missing',
    severity: rule === 'error' ? 'error' : 'warning',
    message: `The catalog has no such contract${partner ? unlike(partner, file) : ''}.`,
    hint: rule === 'error' ? `${correct}${permit}` : correct,
    source: placeOfName(file, partner),
  };
}

/** What of the file names the contract, or is likely to be wrong. */
function placeOfName({ identity, locate }: DesiredContract, partner?: Partner): SourcePosition {
  switch (partner?.differsIn) {
    case 'name':
      return locate(['name']);
    case 'entity':
      return locate(['entity', 'fullyQualifiedName']);
    case 'identity':
      return locate(wrongMember(identity).split('.'));
    default:
      return locate(namingMember(identity));
  }
}

function namingMember(identity: Identity): Pointer {
  switch (strongestKind(identity)) {
    case 'id':
      return ['id'];
    case 'fullyQualifiedName':
      return ['fullyQualifiedName'];
    case 'name+entity.id':
      return ['entity', 'id'];
    case 'name+entity.fullyQualifiedName':
    case 'entity.fullyQualifiedName':
    case undefined:
      return ['entity', 'fullyQualifiedName'];
  }
}

/** What the file gets wrong, where that is plain. */
function unlike({ stray, differsIn }: Partner, { identity }: DesiredContract): string {
  switch (differsIn) {
    case 'identity':
      return `, but has one of this name with another \`${wrongMember(identity)}\``;
    case 'name':
      return `, but has another of this entity: ${quote(stray.identity.name ?? stray.label)}`;
    case 'entity':
      return ', but has one of this name elsewhere';
    case 'spelling':
      return '';
  }
}

function wayBack({ stray, differsIn }: Partner, { identity }: DesiredContract): string {
  const live = `${quote(stray.label)} (live, without a file)?`;
  return differsIn === 'identity' && wrongMember(identity) === 'id'
    ? `Did you mean ${live} Then correct the \`id\`: it is ${stray.id}.`
    : `Did you mean ${live}`;
}
