import type { JsonObject, JsonValue } from '../../core/json.ts';
import { isRecord, toList, toText } from '../json.ts';
import type { KeptContract } from './contract.ts';
import { type Entity, findContractOf, referenceTo, type World } from './world.ts';

const sections = ['termsOfUse', 'security', 'sla'];

/**
 * GET /entity answers with the asset's contract and what its data product's contract adds, or with
 * that contract alone, its id and version included, as if it were the asset's.
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
  // By name, so that the contract's own rules are not repeated.
  const rules = new Map(
    [...inherited.semantics, ...toList(own['semantics'])].map((rule) => [
      isRecord(rule) ? rule['name'] : undefined,
      rule,
    ]),
  );
  return { ...inherited, ...own, semantics: [...rules.values()] };
}

function markInherited(part: JsonValue | undefined): JsonObject {
  return { ...(isRecord(part) && part), inherited: true };
}

// Only for an asset in exactly one data product with an approved contract.
function findProductContract(world: World, asset: Entity): KeptContract | undefined {
  const [first, ...others] = toList(asset.rest['dataProducts']);
  if (!isRecord(first) || others.length > 0) return undefined;
  const product = { id: toText(first['id']), type: 'dataProduct' };
  const contract = findContractOf(world, product)?.current;
  return contract?.entityStatus === 'Approved' ? contract : undefined;
}
