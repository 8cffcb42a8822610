import type { JsonValue } from '../../core/json.ts';
import type { Reference } from './contract.ts';
import { ErrorAnswer } from './error-answer.ts';
import { pathOf } from './java-patch.ts';
import { isAmong, type World } from './world.ts';

/** Who sends a request. */
export type Caller = {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isBot: boolean;
  readonly roles: readonly string[];
};

/** What a request does, as policies name it. */
type Operation =
  | 'Create'
  | 'Delete'
  | 'EditAll'
  | 'EditDescription'
  | 'EditDisplayName'
  | 'EditOwners'
  | 'EditReviewers'
  | 'EditCustomFields'
  | 'EditTags';

const operationsByField: { readonly [field: string]: Operation } = {
  description: 'EditDescription',
  displayName: 'EditDisplayName',
  owners: 'EditOwners',
  reviewers: 'EditReviewers',
  extension: 'EditCustomFields',
  tags: 'EditTags',
};

/** The operations of a patch: each path has one, that of a `test` too. */
export function operationsOf(patch: readonly JsonValue[]): readonly Operation[] {
  const operations = patch.map((operation) => {
    const [, field = ''] = pathOf(operation).split('/');
    return operationsByField[field] ?? 'EditAll';
  });
  // One that needs everything says all there is to say.
  return operations.includes('EditAll') ? ['EditAll'] : [...new Set(operations)];
}

/** What a role allows, and what its policy denies to whoever else allows it. */
type Role = {
  readonly allows: (operation: Operation) => boolean;
  readonly denies?: { readonly operation: Operation; readonly by: string };
};

const stewardOperations: ReadonlySet<Operation> = new Set(['EditDisplayName', 'EditOwners']);

/** Roles that the server has out of the box, and that allow more than everybody may do. */
const roles: { readonly [name: string]: Role } = {
  DataSteward: { allows: (operation) => stewardOperations.has(operation) },
  IngestionBotRole: {
    allows: () => true,
    denies: {
      operation: 'EditDisplayName',
      by: 'role IngestionBotRole, policy DefaultBotPolicy, rule DisplayName-Deny',
    },
  },
};

/** What the permissions of a target depend on. */
type Target = {
  readonly owners: readonly Reference[];
  readonly reviewers?: readonly Reference[];
};

const unowned: Target = { owners: [] };

/** Refuses whoever lacks one of the operations. */
export function requirePermission(
  world: World,
  caller: Caller,
  operations: readonly Operation[],
  target: Target = unowned,
): void {
  if (caller.isAdmin) return;
  for (const { denies } of rolesOf(caller)) {
    if (denies && operations.includes(denies.operation)) {
      throw forbidden(caller, `operation ${denies.operation} denied by ${denies.by}`);
    }
  }
  const missing = operations.filter((operation) => !isAllowed(world, caller, operation, target));
  if (missing.length > 0) throw forbidden(caller, `operations [${missing.join(', ')}] not allowed`);
}

function rolesOf(caller: Caller): readonly Role[] {
  return caller.roles.flatMap((name) => roles[name] ?? []);
}

function forbidden({ name }: Caller, reason: string): ErrorAnswer {
  return new ErrorAnswer(403, `Principal: CatalogPrincipal{name='${name}'} ${reason}`);
}

function isAllowed(world: World, caller: Caller, operation: Operation, target: Target): boolean {
  const { owners, reviewers = [] } = target;
  if (rolesOf(caller).some(({ allows }) => allows(operation))) return true;
  if (isAmong(world, caller.name, owners)) return true;
  // To be in a reviewing team is not enough.
  const isReviewer = reviewers.some(({ name }) => name === caller.name);
  if (isReviewer && operation.startsWith('Edit')) return true;
  if (operation === 'EditOwners') return owners.length === 0;
  return operation === 'EditDescription' || operation === 'EditTags';
}
