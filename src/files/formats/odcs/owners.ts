import {
  listAt,
  type MappingScope,
  objectAt,
  objectsIn,
  type PlacedObject,
  textAt,
} from './scope.ts';
import { type Stated, stateGroup, stateList, stateValue } from './refine.ts';

export function mapOwners(scope: MappingScope): Stated | undefined {
  const { document, settings } = scope;
  const team = objectAt(document, 'team');
  if (settings.owners.team) {
    const owner = team && reference(team, 'name', 'team', scope);
    return owner && stateList(owner.from, [owner]);
  }
  // A list up to version 3.0, a mapping with `members` since.
  const list = listAt(document, 'team') ?? (team && listAt(team, 'members'));
  const { roles, name, type } = settings.owners;
  const owners = objectsIn(list).flatMap((member) => {
    const role = scope.text(member, 'role')?.value.trim().toLowerCase();
    const [left] = /^\d{4}-\d{2}-\d{2}/u.exec(textAt(member, 'dateOut')?.value ?? '') ?? [];
    // A member still counts on the day of `dateOut`.
    const isThere = left === undefined || left >= scope.run.today;
    const isOwner = isThere && roles.some((each) => each.toLowerCase() === role);
    return (isOwner && reference(member, name, type, scope)) || [];
  });
  return list && owners.length > 0 ? stateList(list.pointer, owners) : undefined;
}

function reference(parent: PlacedObject, key: string, type: string, scope: MappingScope) {
  const name = scope.text(parent, key);
  if (!name || name.value === '') return undefined;
  return stateGroup(parent.pointer, {
    type: stateValue(parent.pointer, type),
    name: stateValue(name.pointer, name.value),
  });
}
