import type { Plan } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import { readAhead } from '../ahead/ahead.ts';
import { sync } from '../sync.ts';
import type { PrintFlags } from './show.ts';
import { startProgress } from './progress.ts';
import { reporter } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Makes the plan, and tells on the way how far the reading has come, or that it was broken off. */
export async function readPlan(
  session: Session,
  flags: Pick<PrintFlags, 'quiet'>,
  terminal: Terminal,
): Promise<Plan> {
  const release = terminal.endWith(() => reporter(terminal)('Interrupted: no plan was made.'));
  try {
    return await readTold(session, flags, terminal);
  } finally {
    release();
  }
}

async function readTold(
  session: Session,
  { quiet }: Pick<PrintFlags, 'quiet'>,
  terminal: Terminal,
): Promise<Plan> {
  if (quiet) return sync(readAhead(session));
  const progress = startProgress('Reading the catalog', terminal);
  try {
    return await sync(readAhead({ ...session, onPage: progress.advance }));
  } finally {
    progress.end();
  }
}
