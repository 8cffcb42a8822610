import { type KeptContract, versionAfter } from './contract.ts';
import { unhandled } from './error-answer.ts';
import { type Caller, requirePermission } from './permissions.ts';
import type { Author, Row } from './revise.ts';
import { putRow, type Revised, storeRevision, type World } from './world.ts';

export type Removed = {
  readonly change: 'entitySoftDeleted' | 'entityDeleted';
  readonly answer: KeptContract;
};

/** DELETE: hides a contract, as a version of its own, or takes it away with its history. */
export function deleteContract(world: World, caller: Caller, row: Row, hard: boolean): Removed {
  requirePermission(world, caller, ['Delete'], row.current);
  if (hard) {
    world.contracts.delete(row.current.id);
    return { change: 'entityDeleted', answer: row.current };
  }
  if (row.current.deleted) return { change: 'entitySoftDeleted', answer: unchanged(row.current) };
  const deleted = softDelete(row, { name: caller.name, now: world.now() });
  putRow(world, deleted);
  return { change: 'entitySoftDeleted', answer: deleted.current };
}

function unchanged(current: KeptContract): KeptContract {
  const nothing = { fieldsAdded: [], fieldsUpdated: [], fieldsDeleted: [] };
  return {
    ...current,
    incrementalChangeDescription: { ...nothing, previousVersion: current.version },
  };
}

/** No summary of who set what survives this. */
export function softDelete({ current, history, results }: Row, author: Author): Row {
  const change = {
    fieldsAdded: [],
    fieldsUpdated: [{ name: 'deleted', oldValue: false, newValue: true }],
    fieldsDeleted: [],
    previousVersion: current.version,
  };
  return {
    current: {
      ...current,
      deleted: true,
      version: versionAfter(current.version),
      updatedAt: author.now,
      updatedBy: author.name,
      changeDescription: change,
      incrementalChangeDescription: change,
    },
    history: [current, ...history],
    results,
  };
}

/** PUT /restore: another contract may have come to the asset in between, and both live on. */
export function restoreContract(world: World, caller: Caller, id: string): Revised {
  const row = world.contracts.get(id);
  requirePermission(world, caller, ['EditAll'], row?.current);
  if (!row?.current.deleted) {
    throw unhandled(
      'Cannot invoke "org.openmetadata.service.util.RestUtil$PutResponse.getEntity()" because "response" is null',
    );
  }
  const author = { name: caller.name, now: world.now() };
  return storeRevision(world, row, { ...row.current, deleted: false }, { author, means: 'put' });
}
