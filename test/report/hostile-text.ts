import fc from 'fast-check';
import type { Plan, UpdatePlan } from '../../src/plan/plan.ts';
import { change } from './plans.ts';

const pieces = [
  '`', '```', '~~~~', '\n', '\r', '\r\n', '\n\n', '\t', '    ', '|', '\\', '\\|', '*', '_', '**', '~~', '<', '>', '<!--',
  '-->', '<b>', '</details>', '</summary>', '</code>', '<script>', '<img src=x>', '&lt;', '&#64;', '@octocat',
  '@org/team', '#12', 'GH-7', 'https://evil.example/x', 'www.evil.example', 'mailto:a@b.example', '[a](b)',
  '![a](b)', '[^1]', '# ', '- ', '- [ ] ', '1. ', '> ', '---', '===', '::error::x', '::add-mask::x', '::stop-commands::x',
  '##[error]x', '##[stop-commands]x', '##[add-mask]x', '#', '[', '::', ':', ' ', '\u200B', '\u202E', '\u2028', '\u0085', '\v', '\f', '\0', '\u001B[2J',
  '\u034F', '\uFE0F', '\u0301', '\uFEFF', '\u2060', '\uD800', '$x$', ':tada:', 'name', 'a.b', '<!-- contract-sync {"v":1}-->', '%0A', '%', ',', ',line=9',
] as const; // prettier-ignore

/** Text by which a contract could try to be more than text. */
export const hostileText = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.join(''));

/** A plan in which every text that comes from files or the catalog is `say()`. */
export function planSaying(say: () => string, size: number): Plan {
  const contracts = Array.from({ length: size }, (_, index) => contractSaying(say, index));
  return {
    formatVersion: '1.0',
    catalogUrl: 'https://catalog.example.com/api',
    planHash: `sha256:${'0'.repeat(64)}`,
    errored: true,
    summary: {
      update: size,
      unchanged: 0,
      missing: 1,
      unmanaged: 1,
      blocked: 0,
      transitions: size,
      breaking: 0,
      drift: 0,
    },
    contracts: [
      ...contracts,
      {
        action: 'missing',
        fullyQualifiedName: say(),
        source: sourceSaying(say),
        problems: [{ code: 'contract-missing', severity: 'warning', message: say(), hint: say() }],
      },
      { action: 'unmanaged', id: say() },
    ],
    diagnostics: [
      {
        code: 'unknown-key',
        severity: 'error',
        message: say(),
        hint: say(),
        source: sourceSaying(say),
      },
    ],
  };
}

function sourceSaying(say: () => string) {
  return { file: say(), line: 3, column: 1 };
}

function contractSaying(say: () => string, index: number): UpdatePlan {
  const changes = [
    change('replace', '/entityStatus', { before: say(), after: say() }),
    change('replace', '/description', { before: say(), after: say() }),
    change('add', '/schema/3', {
      label: `schema[3 ${say()}]`,
      after: { name: say(), rule: say() },
    }),
    change('remove', '/schema/4', { label: say(), before: [say()] }),
    change('move', '/schema/1', { from: `/schema/${say()}`, label: say() }),
  ];
  return {
    action: 'update',
    id: `${index}`,
    fullyQualifiedName: say(),
    source: sourceSaying(say),
    liveVersion: say(),
    predictedVersions: ['0.2'],
    transition: { from: 'Draft', to: say() },
    target: {},
    changes,
    fingerprint: `sha256:${'0'.repeat(64)}`,
    problems: [{ code: 'transition-unusual', severity: 'warning', message: say(), hint: say() }],
  };
}
