import type { JsonObject, JsonValue } from '../../core/json.ts';
import { isRecord, toList, toText } from '../json.ts';
import type { KeptContract } from './contract.ts';
import { type Entity, findContractOf, referenceTo, type World } from './world.ts';

const sections = ['termsOfUse', 'security', 'sla'];

/**
 * The contract that GET /entity gives for an asset: its own with what its data product's contract
 * adds, or that contract alone, id and version included, as if it were the asset's.
 */
export function findEffectiveContract(world: World, asset: Entity): KeptContract | undefined {
  const own = findContractOf(world, asset)?.current;
  const product = findProductContract(world, asset);
  if (!product) return own;
  const given = sections.filter((name) => isRecord(product[name]));
  const inherited = {
    ...Object.fromEntries(given.map((name) => [name, markInherited(product[name])])),
    semantics: toList(product['semantics']).map(markInherited),
  };
  if (!own) {
    const entity = referenceTo(asset);
    return { ...product, ...inherited, entity, entityStatus: 'Draft', inherited: true };
  }
  // By name: a rule that the contract has itself is not there twice.
  const rules = new Map(
    [...inherited.semantics, ...toList(own['semantics'])].map((rule) => [nameOf(rule), rule]),
  );
  return { ...inherited, ...own, semantics: [...rules.values()] };
}

function nameOf(rule: JsonValue): JsonValue | undefined {
  return isRecord(rule) ? rule['name'] : undefined;
}

function markInherited(part: JsonValue | undefined): JsonObject {
  return { ...(isRecord(part) && part), inherited: true };
}

/** Of an asset in one data product alone, if that has an approved contract. */
function findProductContract(world: World, asset: Entity): KeptContract | undefined {
  const [first, ...others] = toList(asset.rest['dataProducts']);
  if (!isRecord(first) || others.length > 0) return undefined;
  const product = { id: toText(first['id']), type: 'dataProduct' };
  const contract = findContractOf(world, product)?.current;
  return contract?.entityStatus === 'Approved' ? contract : undefined;
}
