import { compatibilityRules, type CompatibilityRule } from '../compatibility/rule.ts';
import { ConfigError } from '../core/errors.ts';
import { didYouMean, quote } from '../core/text.ts';
import codes from '../report/codes.json' with { type: 'json' };
import { type Explanation, renderExplanation } from '../report/text/explain.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

/** All codes and what they mean, those of compatibility rules too. */
export const explanations: Readonly<Record<string, Explanation>> = {
  ...codes,
  ...Object.fromEntries(
    Object.entries(compatibilityRules).map(([id, rule]) => [id, explainRule(id, rule)]),
  ),
};

/** `contract-sync explain`: what a code means, an example, and the way out. */
export function runExplain({ write, palettes }: Terminal, given: string): ExitCode {
  const code = given.replaceAll(/[[\]]/gu, '');
  const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  if (!explanation) throw unknownCode(code);
  write(renderExplanation(code, explanation, palettes.write));
  return exitCode.done;
}

function unknownCode(code: string): ConfigError {
  return new ConfigError('unknown-code', `Unknown code ${quote(code)}.`, {
    hint:
      didYouMean(code, Object.keys(explanations)) ??
      'Codes are in brackets at the end of a message; docs/codes.md lists them all.',
  });
}

function explainRule(id: string, { forward, backward, says }: CompatibilityRule): Explanation {
  return {
    failure: 'policy',
    means: `${says} For consumers that is ${forward} in mode forward, ${backward} in mode backward.`,
    wayOut:
      'Revert the change, or agree it with consumers and add an exception to `allow` in the configuration.',
    example: `allow:\n  - contract: warehouse.sales.orders\n    rule: ${id}\n    reason: agreed with finance, DATA-812`,
  };
}
