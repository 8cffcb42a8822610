/** Has V8 compile what a plan calls as it loads the chunk that it is in. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MagicString } from 'magic-string';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { wrapper } from '../src/cli/modules.ts';
import { parseWorldSeed } from '../src/sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../src/sandbox/openmetadata/server.ts';
import { root } from './bundle.ts';

/** In the chunks beside this `cli.js`. */
export async function compileEarly(cli: string): Promise<void> {
  // V8 names scripts by their real paths.
  const chunks = join(realpathSync(cli), '..', 'chunks');
  for (const { url, functions } of await coverageOfPlan(cli)) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!path.startsWith(chunks)) continue;
    const called = functions.flatMap(({ ranges: [whole] }) => (whole?.count ? [whole] : []));
    writeFileSync(path, inParentheses(readFileSync(path, 'utf8'), called));
  }
}

/** A function: where it begins and ends in the text that V8 was given. */
type Range = { readonly startOffset: number; readonly endOffset: number };

/** What V8 says of a script: each of its functions, the first range of which is all of it. */
type Coverage = {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly (Range & { readonly count: number })[];
  }[];
};

/** Of a plan of the example, over what is in its catalog. */
async function coverageOfPlan(cli: string): Promise<readonly Coverage[]> {
  const example = join(root, 'examples', 'openmetadata');
  const seedFile = join(example, 'catalog.json');
  const seed = parseWorldSeed(readFileSync(seedFile, 'utf8'), seedFile);
  const catalog = await startOpenMetadata({ seed });
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-coverage-'));
  try {
    const child = spawn(process.execPath, [cli, 'plan', '--quiet'], {
      cwd: example,
      env: {
        CONTRACT_SYNC_URL: catalog.url,
        CONTRACT_SYNC_TOKEN: catalog.token,
        NODE_V8_COVERAGE: folder,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`The plan of ${example} ended with ${String(code)}.`);
    return readdirSync(folder).flatMap((file) => {
      const told: { readonly result: readonly Coverage[] } = JSON.parse(
        readFileSync(join(folder, file), 'utf8'),
      );
      return told.result;
    });
  } finally {
    await catalog.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * V8 reads over a function as it loads what that is in, and reads it again when it is called; one in
 * parentheses it compiles at once. Declarations go to the beginning, for they may be called before it is
 * their turn.
 */
export function inParentheses(code: string, called: readonly Range[]): string {
  const text = new MagicString(code);
  const { program } = parseSync('chunk.cjs', code);
  const [{ length: before }] = wrapper;
  const places = new Set(
    called.map(({ startOffset, endOffset }) => `${startOffset - before}-${endOffset - before}`),
  );
  const isCalled = ({ start, end }: ESTree.Span): boolean => places.has(`${start}-${end}`);
  const beginning = program.body.findLast(isDirective)?.end ?? 0;
  const declarations = program.body.flatMap((node) =>
    node.type === 'FunctionDeclaration' && node.id && isCalled(node)
      ? [{ start: node.start, end: node.end, id: node.id }]
      : [],
  );
  for (const [index, { start, end, id }] of declarations.entries()) {
    text.remove(id.start, id.end);
    text.appendRight(start, `${index === 0 ? 'var ' : ''}${id.name}=(`);
    text.appendLeft(end, index === declarations.length - 1 ? ');' : '),');
    if (start > beginning) text.move(start, end, beginning);
  }
  const visit = (node: ESTree.Span): void => {
    if (isCalled(node)) text.appendRight(node.start, '(').appendLeft(node.end, ')');
  };
  new Visitor({ ArrowFunctionExpression: visit, FunctionExpression: visit }).visit(program);
  return text.toString();
}

function isDirective(node: ESTree.Directive | ESTree.Statement): boolean {
  return node.type === 'ExpressionStatement' && Boolean(node.directive);
}
