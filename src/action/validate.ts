import { resolveFileConfig } from '../config/config.ts';
import { checkContracts, makeValidation } from '../files/files.ts';
import type { StepResult } from './result.ts';
import type { Step } from './step.ts';

/** The command `validate`, and what is left of `plan` where there are no secrets. */
export async function validate(step: Step, notice?: string): Promise<StepResult> {
  const { inputs, folder } = step;
  const { config, paths } = inputs;
  const { include, exclude, rules } = resolveFileConfig(
    config === undefined ? {} : { config },
    folder,
  );
  const checked = await checkContracts(
    { root: folder, include: paths.length > 0 ? paths : include, exclude },
    { statuses: rules.lifecycle.statuses },
  );
  const validation = makeValidation(checked.diagnostics, checked.fileCount, checked.contractCount);
  return {
    kind: 'validation',
    validation,
    ...(notice !== undefined && { notice }),
    ...(validation.errored && {
      failure: { reason: 'invalid-contracts', message: 'The contract files have errors.' } as const,
    }),
  };
}
