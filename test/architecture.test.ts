import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { productNames } from '../src/catalog/products/products.ts';

/** A room of `src/`: a folder, or a file that stands alone. */
type Part = string;

/** The rooms, and who may import whom. A room may always import itself. */
const mayImport: Readonly<Record<Part, readonly Part[]>> = {
  version: [],
  generated: [],
  core: [],
  http: ['core'],
  disk: [],
  auth: ['core', 'http', 'disk'],
  patch: ['core'],
  contract: ['core', 'patch'],
  files: ['core', 'disk', 'patch', 'contract', 'generated'],
  catalog: ['core', 'http', 'auth', 'patch', 'contract'],
  compatibility: ['core', 'patch', 'contract'],
  plan: ['core', 'patch', 'contract', 'compatibility'],
  history: ['core', 'patch', 'contract'],
  config: [
    'core',
    'disk',
    'http',
    'auth',
    'patch',
    'contract',
    'catalog',
    'generated',
    'files',
    'compatibility',
    'plan',
  ],
  pull: ['core', 'contract', 'files'],
  review: ['core', 'patch', 'contract', 'catalog', 'history', 'plan', 'apply', 'generated'],
  apply: ['core', 'http', 'patch', 'contract', 'catalog', 'plan'],
  doctor: ['core', 'http', 'auth', 'catalog', 'files'],
  report: [
    'version',
    'generated',
    'core',
    'patch',
    'contract',
    'files',
    'plan',
    'history',
    'pull',
    'apply',
    'review',
    'doctor',
  ],
  session: ['core', 'contract', 'auth', 'catalog', 'config', 'files', 'plan', 'version'],
  commands: [
    'core',
    'disk',
    'http',
    'contract',
    'catalog',
    'files',
    'history',
    'compatibility',
    'plan',
    'patch',
    'pull',
    'config',
    'review',
    'apply',
    'session',
  ],
  // Types alone, by the test below.
  sandbox: ['core'],
  init: ['core', 'http', 'config', 'contract', 'files'],
  library: [
    'core',
    'auth',
    'patch',
    'config',
    'files',
    'plan',
    'review',
    'apply',
    'session',
    'commands',
    'report',
  ],
  index: ['*'],
  cli: ['*'],
  action: ['*'],
};

const pureParts: ReadonlySet<Part> = new Set([
  'core',
  'contract',
  'patch',
  'compatibility',
  'plan',
  'history',
  'pull',
  'report',
]);

/** The one file of a pure part that is not: it says what effects there are, for others to use. */
const effectsFile = 'core/effects.ts';

const isPure = (file: string): boolean => pureParts.has(partOf(file)) && file !== effectsFile;

/** Built-in modules without effects. */
const pureModules: ReadonlySet<string> = new Set(['node:crypto', 'node:util']);

const effects =
  /\b(?:process|console|fetch|setTimeout|setInterval|queueMicrotask|Intl|performance)\b(?=[.(])|\bnew Date\(\)|\b(?:Date\.now|Math\.random|randomUUID|randomBytes|toLocale\w+|localeCompare)\b/u;

const root = join(import.meta.dirname, '..', 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.d)\.[jt]s$/u.test(file))
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted();

type Import = { readonly from: string; readonly specifier: string };

const imports: readonly Import[] = files.flatMap((from) =>
  [...codeOf(from).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/gu)].map(
    ([, specifier = '']) => ({
      from,
      specifier,
    }),
  ),
);

const internal = imports
  .filter(({ specifier }) => /^\.(?!.*node_modules).*\.[jt]s$/u.test(specifier))
  .map(({ from, specifier }) => ({
    from,
    to: relative(root, join(root, dirname(from), specifier)),
  }));

/** The text without comments. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
    .replaceAll(/^\s*\/\/.*$/gmu, '');
}

function partOf(file: string): Part {
  const [first = ''] = file.split('/');
  return first.replace(/\.[jt]s$/u, '');
}

test('every part has a place in the import table', () => {
  expect([...new Set(files.map(partOf))].toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

/** What a file declares and exports; passing on what another file declares is no second meaning. */
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|type|interface|class|enum|namespace|const|let|var)\s+(\w+)/gmu;

test('an exported name stands in one file', () => {
  const declared = files
    .filter((file) => partOf(file) !== 'generated')
    .flatMap((file) =>
      [...codeOf(file).matchAll(declaration)].map(([, name = '']) => ({ name, file })),
    );
  // A pattern that finds nothing would find nothing twice.
  expect(declared).toContainEqual({ name: 'planFiles', file: 'commands/plan.ts' });
  const twice = [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, places]) => {
    const where = new Set(places.map(({ file }) => file));
    return where.size > 1 ? [`${name}: ${[...where].join(', ')}`] : [];
  });
  expect(twice).toEqual([]);
});

test('imports run one way', () => {
  const wrong = internal.filter(({ from, to }) => {
    const allowed = mayImport[partOf(from)] ?? [];
    return partOf(from) !== partOf(to) && !allowed.includes('*') && !allowed.includes(partOf(to));
  });
  expect(wrong).toEqual([]);
});

test('no room imports cli or action, and only cli imports sandbox', () => {
  const wrong = internal.filter(({ from, to }) => {
    if (partOf(from) === partOf(to)) return false;
    if (['cli', 'action', 'index'].includes(partOf(to))) return true;
    return partOf(to) === 'sandbox' && partOf(from) !== 'cli';
  });
  expect(wrong).toEqual([]);
});

test('the sandbox takes nothing but types from the product, so that it shares no fault with it', () => {
  const [fromSandbox, taking] = [/^sandbox\//u, /^import (?!type\b)[^;]*?'\.\.\/[^;]*?';/gmu];
  const shared = files
    .filter((file) => fromSandbox.test(file))
    .flatMap((file) =>
      [...codeOf(file).matchAll(taking)].flatMap(([statement]) => {
        const [, specifier = ''] = /'([^']+)'/u.exec(statement) ?? [];
        const to = relative(root, join(root, dirname(file), specifier));
        return fromSandbox.test(to) ? [] : [`${file}: ${statement}`];
      }),
    );
  expect(shared).toEqual([]);
});

test('no file imports itself by a detour', () => {
  const targets = Map.groupBy(internal, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (trail.includes(file) || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('pure parts import no module with effects', () => {
  const wrong = imports.filter(
    ({ from, specifier }) =>
      isPure(from) && specifier.startsWith('node:') && !pureModules.has(specifier),
  );
  expect(wrong).toEqual([]);
  expect(internal.filter(({ from, to }) => isPure(from) && to === effectsFile)).toEqual([]);
});

test('pure parts use no clock, randomness, environment, locale or I/O', () => {
  const wrong = files.filter(isPure).flatMap((file) => {
    const [effect] = effects.exec(codeOf(file)) ?? [];
    return effect === undefined ? [] : [`${file}: ${effect}`];
  });
  expect(wrong).toEqual([]);
});

test('only a run that asks an issuer loads openid-client and jose, which load slowly', () => {
  const loading = files.filter((file) =>
    // To decode is a small part of jose, of five files.
    /^import (?!type\b)[^;]*'(?:openid-client|jose(?!\/jwt\/decode'))/mu.test(codeOf(file)),
  );
  expect(loading.filter((file) => partOf(file) !== 'sandbox')).toEqual([]);
});

test("GitHub's toolkit is spoken to at one place", () => {
  const speaking = imports.filter(({ specifier }) => specifier.startsWith('@actions/'));
  expect(speaking.map(({ from }) => from)).toEqual(['action/step.ts']);
});

test('planning is given nothing that could write', () => {
  for (const file of ['commands/plan.ts', 'commands/pairs.ts', 'commands/facts.ts'])
    expect(codeOf(file)).not.toMatch(/CatalogWriter|createWriter|'\.\.\/apply\//u);
});

test('only the client knows the URLs of the interface', () => {
  const knowing = files.filter(
    (file) =>
      partOf(file) !== 'sandbox' && /v1\/(?:dataContracts|search|system)/u.test(codeOf(file)),
  );
  expect(knowing).toEqual(['catalog/client.ts']);
});

test('only the command line prints or sets an exit code', () => {
  const printing = files.filter(
    (file) =>
      !['cli', 'action'].includes(partOf(file)) &&
      /process\.(?:stdout|stderr|exit)|console\./u.test(codeOf(file)),
  );
  expect(printing).toEqual([]);
});

test('programs are started at one place, which starts git', () => {
  const starting = imports.filter(({ specifier }) => /^(?:node:)?child_process$/u.test(specifier));
  expect(starting.map(({ from }) => from)).toEqual(['files/git/run-git.ts']);
});

test('files are written at one place', () => {
  const writing = files.filter((file) =>
    /\b(?:(?:write|append|copy)File|createWriteStream|(?:open|link|symlink|rename)Sync)/u.test(
      codeOf(file),
    ),
  );
  expect(writing).toEqual(['disk.ts']);
});

test('a product is named in its own folder, in the sandbox and in the registry alone', () => {
  const registry = 'catalog/products/products.ts';
  // The first is `standard`, an ordinary word.
  const [, ...products] = productNames;
  expect(products).toContain('openmetadata');
  const everything = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'));
  const naming = products.flatMap((product) =>
    everything.filter(
      (file) =>
        !['generated', 'sandbox'].includes(partOf(file)) &&
        !file.startsWith(`${dirname(registry)}/${product}`) &&
        readFileSync(join(root, file), 'utf8').toLowerCase().includes(product),
    ),
  );
  expect(naming).toEqual([registry]);
});

test('no decision compares the name of a product outside the products', () => {
  const names = productNames.join('|');
  const comparison = new RegExp(`[!=]==? '(?:${names})'|case '(?:${names})'`, 'u');
  const comparing = files.filter(
    (file) => !file.startsWith('catalog/products/') && comparison.test(codeOf(file)),
  );
  expect(comparing.filter((file) => partOf(file) !== 'generated')).toEqual([]);
});

test('nothing is decided by the code of a problem, but by its scope, severity or impact', () => {
  const byCode =
    /(?<!typeof )\bcode [!=]== '[a-z-]+'|'[a-z-]+' [!=]== (?:\w+\??\.)*code\b|switch \((?:\w+\??\.)*code\)|\.(?:has|includes)\((?:\w+\??\.)*code\)/u;
  // The codes of an HTTP status.
  const outside = ['catalog/fault.ts'];
  expect(files.filter((file) => byCode.test(codeOf(file)))).toEqual(outside);
});
