import { openmetadata } from './openmetadata/openmetadata.ts';
import type { Product } from './product.ts';
import { standard } from './standard.ts';

/** The name of a product, or `auto`: the catalog is asked. */
export type DialectSetting = string;

export const products: readonly [Product, ...Product[]] = [standard, openmetadata];

export const productNames = products.map(({ name }) => name);

const creators = products.filter(({ creation }) => creation);

export const creatorTitles = creators.map(({ title }) => title).join(' or ');

/** Undefined where the catalog is to be asked. */
export function configuredProduct(setting: DialectSetting): Product | undefined {
  return products.find(({ name }) => name === setting);
}

export function possibleProducts(setting: DialectSetting): readonly [Product, ...Product[]] {
  const product = configuredProduct(setting);
  return product ? [product] : products;
}

/** Without a name, the one that adds nothing to the interface. */
export function productOf(name: string = standard.name): Product {
  return products.find((product) => product.name === name) ?? standard;
}

/** The lines of the configuration, of which one is to be added. */
export function dialectLines(some: readonly Product[] = products.toReversed()): string {
  return some.map(({ name }) => `\`catalog: { dialect: ${name} }\``).join(' or ');
}
