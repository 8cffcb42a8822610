import { apply } from '../apply/apply.ts';
import type { Outcomes } from '../apply/outcome.ts';
import type { Apply } from '../apply/run.ts';
import type { Plan } from '../plan/plan.ts';
import type { Session } from '../session.ts';

/** Carries out a plan without errors, and nothing but that plan: what became of each change. */
export async function carryOut(
  plan: Plan,
  session: Session,
  options: Pick<Apply, 'signal' | 'maxFailures'>,
): Promise<Outcomes> {
  const dialect = plan.dialect?.name ?? session.dialect;
  return apply({ ...session, ...options, plan, dialect, writer: session.openWriter() });
}
