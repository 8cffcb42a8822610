import { ConfigError, SyncError } from '../core/errors.ts';
import type { Plan } from '../plan/plan.ts';
import { count } from '../core/text.ts';
import type { Terminal } from './terminal.ts';

/** Anything but a plain yes is a no. */
export async function confirm(plan: Plan, { ask }: Terminal): Promise<void> {
  if (!ask) {
    throw new ConfigError(
      'confirmation-needed',
      'Nobody can be asked here, so nothing was applied.',
      {
        hint: 'Review the plan, then run apply again with --yes.',
      },
    );
  }
  const changes = count(plan.summary.update, 'contract', 'contracts');
  const answer = await ask(
    `\nUpdate ${changes} in ${plan.catalogUrl}? Only "yes" applies the plan: `,
  );
  if (answer.trim() !== 'yes') {
    throw new SyncError('not-confirmed', 'The plan was not confirmed, so nothing was applied.');
  }
}
