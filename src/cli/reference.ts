import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutcomeResult } from '../apply/outcome.ts';
import { compatibilityRules } from '../compatibility/rule.ts';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import codes from '../report/codes.json' with { type: 'json' };
import type { Block } from '../report/blocks.ts';
import { renderText } from '../report/text.ts';
import { wrapWords } from '../report/text-contract.ts';
import type { RunCommand } from './flags.ts';
import { pages } from '../version.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

export const printSchema: RunCommand = ({ write }, _, [name]) => {
  const text = readFileSync(findPackaged(`schemas/${name}.schema.json`), 'utf8');
  write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'json');
  return exitCode.done;
};

export function printRules({ write, layouts }: Terminal): ExitCode {
  const { palette, width } = layouts.write;
  const head = row('rule', 'forward', 'backward');
  const lines = Object.entries(compatibilityRules).flatMap(([id, { forward, backward, says }]) =>
    wrapWords(row(id, forward, backward) + palette.faint(says), width, head.length),
  );
  write(`${[palette.strong(`${head}what happened`), ...lines].join('\n')}\n`);
  return exitCode.done;
}

function row(id: string, forward: string, backward: string): string {
  return `${id.padEnd(25)}${forward.padEnd(13)}${backward.padEnd(13)}`;
}

type Explanation = Readonly<Record<'failure' | 'means' | 'wayOut', string>> & { example?: string };

// Those that are no codes.
const outcomes: Readonly<Record<Exclude<OutcomeResult, keyof typeof codes>, readonly string[]>> = {
  applied: ['The catalog stores the change: it was read again after the patch.', 'Nothing.'],
  unchanged: ['The catalog had the change already. This run changed nothing.', 'Nothing.'],
  left: [
    'The contract was edited in the catalog, no file asks for a change, and the edit stays.',
    'Nothing, or take the edit into the file with `contract-sync pull`, or set `drift: overwrite`.',
  ],
  stale: [
    "Somebody changed the contract after the plan, so the change wasn't applied.",
    'Plan again and have the new plan reviewed. Where it comes back, another program writes the same contract.',
  ],
  failed: [
    "The change hasn't landed. The line below it says why.",
    'Correct the cause, then apply again: changes that landed are not sent twice.',
  ],
  unverified: [
    "The change may have landed, but a read doesn't show it, or the contract can't be read.",
    'Apply again: it reads the catalog first, so nothing is done twice.',
  ],
  skipped: [
    'Not tried: the run was interrupted, or stopped because the catalog denied access or too many changes failed; or the catalog gives nothing to guard the change by (`no-guard`).',
    'Correct the cause, then apply again. `contract-sync doctor` says whose token was refused.',
  ],
};

export const explanations: Readonly<Record<string, Explanation>> = {
  ...codes,
  ...Object.fromEntries(
    Object.entries(outcomes).map(([name, [means = '', wayOut = '']]) => [
      name,
      { failure: 'apply', means, wayOut },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(compatibilityRules).map(([id, { forward, backward, says }]) => [
      id,
      {
        failure: 'policy',
        means: `${says} For consumers that is ${forward} in mode forward, ${backward} in mode backward.`,
        wayOut:
          'Revert the change, or agree it with consumers and add an exception to `allow` in the configuration.',
        example: `allow:\n  - contract: warehouse.sales.orders\n    rule: ${id}\n    reason: agreed with finance, DATA-812`,
      },
    ]),
  ),
};

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
