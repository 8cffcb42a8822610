import { makeFolder, serveCatalog } from '../support/workspace.ts';

export function liveContract(name: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    name,
    fullyQualifiedName: `shop.sales.${name}`,
    description: 'Old.',
    entityStatus: 'Draft',
    version: 0.1,
    ...more,
  };
}

export const changeOf = (name: string, description = 'New.') =>
  `fullyQualifiedName: shop.sales.${name}\ndescription: ${JSON.stringify(description)}\n`;

/** A repository with these files of contracts, and a catalog with a contract for each, or others. */
export async function arrange(
  files: Readonly<Record<string, string>> = { orders: changeOf('orders') },
  names: readonly string[] = Object.keys(files),
) {
  const catalog = await serveCatalog({ seed: names.map((name) => liveContract(name)) });
  const folder = makeFolder(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`contracts/${name}.yaml`, content]),
    ),
  );
  return { catalog, folder, inputs: { 'catalog-url': catalog.url, token: catalog.token } };
}
