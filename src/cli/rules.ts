import { compatibilityRules } from '../compatibility/rule.ts';
import { exitCode, type ExitCode } from './exit.ts';
import type { Terminal } from './terminal.ts';

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
