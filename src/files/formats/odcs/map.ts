import { isArray, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { isUuid } from '../../../contract/identity.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import type { FormatRules } from '../format.ts';
import { mapColumns } from './columns.ts';
import { mapExtension, mapMovedFrom } from './extension.ts';
import { mapDescription } from './description.ts';
import { bindToEntity, type StatedIdentity } from './entity.ts';
import { notSynced } from './not-synced.ts';
import { mapOwners } from './owners.ts';
import {
  listAt,
  makeScope,
  type MappingScope,
  memberAt,
  objectsIn,
  reportTwins,
  textAt,
} from './scope.ts';
import {
  coarseEqualities,
  type CoarseEquality,
  type Stated,
  stateGroup,
  stateValue,
} from './refine.ts';
import { defaultOdcsRules, type OdcsField } from './settings.ts';
import { odcsShapeProblems } from './shape.ts';
import { mapSla } from './sla.ts';
import { mapStatus } from './status.ts';

export type MappedContract = {
  /** Below the top level, null removes a live member that `refineByLive` would keep. */
  readonly fields: JsonObject;
  readonly trace: Stated;
  readonly pointer: Pointer;
  readonly leeway: readonly CoarseEquality[];
};

/** Contracts with errors, of their own or of the document, are left out. */
export type OdcsMapping = {
  readonly contracts: readonly MappedContract[];
  readonly diagnostics: readonly PointerDiagnostic[];
};

export function mapOdcs(value: JsonValue, rules: FormatRules): OdcsMapping {
  const { settings } = rules.odcs ?? defaultOdcsRules;
  const diagnostics = odcsShapeProblems(value, settings);
  if (!isObject(value)) return { contracts: [], diagnostics };
  const document = { value, pointer: [] };
  const scope = makeScope(document, rules, (diagnostic) => diagnostics.push(diagnostic));
  const contracts = mapObjects(scope);
  diagnostics.push(...notSynced(document, settings));
  const byText = new Map(
    diagnostics.map((each) => [`${each.pointer.join('/')} ${each.code} ${each.message}`, each]),
  );
  return {
    // An error within another object does not count; any other concerns all objects.
    contracts: contracts.filter(({ pointer: contract }) =>
      diagnostics.every(({ severity = 'error', pointer: [section, index] }) => {
        const isElsewhere =
          section === 'schema' && index !== undefined && index !== (contract[1] ?? index);
        return severity !== 'error' || isElsewhere;
      }),
    ),
    diagnostics: [...byText.values()],
  };
}

// An object without an entity is mapped too, so that all its problems are reported.
function mapObjects(scope: MappingScope): MappedContract[] {
  const objects = objectsIn(listAt(scope.document, 'schema'));
  const names = objects.flatMap((object) => textAt(object, 'name') ?? []);
  reportTwins(names, 'objects', scope);
  const id = textAt(scope.document, 'id');
  // A catalog's own import gives a contract the UUID of its document.
  if (objects.length < 2 && scope.settings.entity.length === 0 && id && isUuid(id.value)) {
    const identity = { id: stateValue(id.pointer, id.value) };
    return [mapObject({ ...scope, object: objects[0] }, identity)];
  }
  if (objects.length === 0) {
    const schema = memberAt(scope.document, 'schema');
    if (!schema || isArray(schema.value)) {
      const message = 'The file has no object in `schema`, so it has no entity.';
      const hint = 'Add an object for the table or topic, or add the file to `contracts.exclude`.';
      scope.report({ code: 'no-object', message, hint, pointer: schema?.pointer ?? [] });
    }
    mapObject(scope);
  }
  return objects.flatMap((object) => {
    const own = { ...scope, object };
    const identity = bindToEntity(own);
    if (identity === 'left-out') return [];
    const contract = mapObject(own, identity);
    return identity ? [contract] : [];
  });
}

const fieldMappings: {
  readonly [field in OdcsField]: (scope: MappingScope) => Stated | undefined;
} = {
  description: mapDescription,
  entityStatus: mapStatus,
  sla: mapSla,
  schema: (scope) => {
    const properties = scope.object && listAt(scope.object, 'properties');
    return properties && mapColumns(properties, scope);
  },
  owners: mapOwners,
  extension: mapExtension,
};

function mapObject(scope: MappingScope, identity?: StatedIdentity): MappedContract {
  const managed = Object.entries(fieldMappings)
    .filter(([field]) => scope.settings.fields.some((each) => each === field))
    .map(([field, map]) => [field, map(scope)] as const);
  const pointer = scope.object?.pointer ?? [];
  const movedFrom = mapMovedFrom(scope);
  const trace = stateGroup(pointer, { ...identity, movedFrom, ...Object.fromEntries(managed) });
  return { fields: trace.json, trace, pointer, leeway: coarseEqualities(trace) };
}
