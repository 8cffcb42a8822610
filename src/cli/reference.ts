import audit from '../../schemas/audit.schema.json' with { type: 'json' };
import config from '../../schemas/config.schema.json' with { type: 'json' };
import contract from '../../schemas/contract.schema.json' with { type: 'json' };
import examination from '../../schemas/examination.schema.json' with { type: 'json' };
import history from '../../schemas/history.schema.json' with { type: 'json' };
import outcomes from '../../schemas/outcomes.schema.json' with { type: 'json' };
import plan from '../../schemas/plan.schema.json' with { type: 'json' };
import validation from '../../schemas/validation.schema.json' with { type: 'json' };
import { compatibilityRules } from '../compatibility/rule.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

const schemas = { contract, config, plan, outcomes, validation, examination, history, audit };

type SchemaName = keyof typeof schemas;

/** `contract-sync schema`: prints the JSON Schema of a file or document. */
export function printSchema({ write }: Terminal, name: SchemaName): ExitCode {
  write(`${JSON.stringify(schemas[name], null, 2)}\n`, 'json');
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
