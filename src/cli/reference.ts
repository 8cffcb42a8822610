import { readFileSync } from 'node:fs';
import { compatibilityRules } from '../compatibility/rule.ts';
import { findPackaged } from './packaged.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

/** `contract-sync schema`: prints the JSON Schema of a file or document. */
export function printSchema({ write }: Terminal, name: string): ExitCode {
  const text = readFileSync(findPackaged(`schemas/${name}.schema.json`), 'utf8');
  write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'json');
  return exitCode.done;
}

/** `contract-sync rules`: each rule, and what its change does to consumers in either mode. */
export function printRules({ write, palettes }: Terminal): ExitCode {
  const { strong, faint } = palettes.write;
  const rows = Object.entries(compatibilityRules).map(
    ([id, { forward, backward, says }]) => `${row(id, forward, backward)}${faint(says)}`,
  );
  write(`${[strong(`${row('rule', 'forward', 'backward')}what happened`), ...rows].join('\n')}\n`);
  return exitCode.done;
}

function row(id: string, forward: string, backward: string): string {
  return `${id.padEnd(25)}${forward.padEnd(13)}${backward.padEnd(13)}`;
}
