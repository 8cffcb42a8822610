/** What the tool says of itself: schemas, rules and codes. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compatibilityRules, hasPlaces } from '../compatibility/rule.ts';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { Block } from '../report/blocks.ts';
import { renderText } from '../report/text.ts';
import type { RunCommand } from './flags.ts';
import { pages } from '../version.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';
import codes from '../report/codes.json' with { type: 'json' };

export const printSchema: RunCommand = ({ write }, _, [name]) => {
  const text = readFileSync(findPackaged(`schemas/${name}.schema.json`), 'utf8');
  write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'json');
  return exitCode.done;
};

export function printRules({ write, layouts }: Terminal): ExitCode {
  const { palette } = layouts.write;
  const head = row('rule', 'forward', 'backward');
  const lines = Object.entries(compatibilityRules).map(
    ([id, { forward, backward, says }]) => row(id, forward, backward) + palette.faint(says),
  );
  write(`${[palette.strong(`${head}what happened`), ...lines].join('\n')}\n`);
  return exitCode.done;
}

function row(id: string, forward: string, backward: string): string {
  return `${id.padEnd(25)}${forward.padEnd(13)}${backward.padEnd(13)}`;
}

type Explanation = {
  readonly failure: string;
  readonly means: string;
  readonly wayOut: string;
  readonly example?: string;
};

export const explanations: Readonly<Record<string, Explanation>> = {
  ...codes,
  ...Object.fromEntries(
    Object.entries(compatibilityRules).map(([id, { forward, backward, says }]) => [
      id,
      {
        failure: 'policy',
        means: `${says} For consumers that is ${forward} in mode forward, ${backward} in mode backward.`,
        wayOut:
          'Revert the change, or agree it with consumers and add an exception to `allow` in the configuration.',
        example: exampleOf(id),
      },
    ]),
  ),
};

function exampleOf(rule: string): string {
  const place = rule === 'sla-worsened' ? 'sla.maxLatency' : 'schema.fax_number';
  const lines = [
    'allow:',
    '  - contract: warehouse.sales.orders',
    `    rule: ${rule}`,
    ...(hasPlaces(rule) ? [`    place: ${place}`] : []),
    '    reason: agreed with finance, DATA-812',
    '    until: 2027-01-31',
  ];
  return lines.join('\n');
}

export const runExplain: RunCommand = ({ write, layouts }, _, [given = '']) => {
  const code = given.replaceAll(/[[\]]/gu, '');
  const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  if (!explanation)
    throw new ConfigError('unknown-code', `Unknown code ${quote(code)}.`, {
      hint:
        didYouMean(code, Object.keys(explanations)) ??
        `Codes are in brackets at the end of a message; ${pages}/codes.md lists them all.`,
    });
  const { failure, means, example, wayOut } = explanation;
  const blocks: readonly Block[] = [
    {
      kind: 'heading',
      words: [{ text: code, as: 'strong' }, '  ', { text: failure, as: 'faint' }],
    },
    { kind: 'note', words: [`  ${means}`] },
    ...(example === undefined ? [] : [listOf('For example', example)]),
    listOf('What to do', wayOut),
  ];
  write(renderText({ blocks }, layouts.write));
  return exitCode.done;
};

function listOf(title: string, text: string): Block {
  return { kind: 'list', title, items: text.split('\n').map((label) => ({ label, lines: [] })) };
}

/** Beside `src` in a clone, beside `dist` in the package. */
export function findPackaged(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder) {
      const hint = 'Install contract-sync again.';
      throw new SyncError('no-example', `${name} is missing from the package.`, { hint });
    }
    folder = parent;
  }
  return join(folder, name);
}
