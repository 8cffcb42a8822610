import { contractLabel } from '../contract/identity.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import type { Change, ContractPlan, MissingPlan, UpdatePlan } from '../plan/plan.ts';
import { isTold, type Problem } from '../plan/problem.ts';
import { changeLines } from './change-text.ts';
import { diagnosticLines } from './diagnostic-text.ts';
import type { Palette } from './palette.ts';
import { sanitizeLine } from '../core/text.ts';

/** What becomes of one contract; what needs no eyes is told only if `all` is. */
export function contractLines(contract: ContractPlan, palette: Palette, all: boolean): string[] {
  switch (contract.action) {
    case 'update':
    case 'blocked':
      return updateLines(contract, palette, all);
    case 'missing':
      return missingLines(contract, palette);
    case 'unchanged':
      if (!all && contract.problems.length === 0) return [];
      return [
        `${palette.faint('=')} ${name(contract, palette)}  ${place(contract.source, palette)}`,
        ...problemLines(contract.problems, palette, all),
      ];
    case 'unmanaged':
      return [];
  }
}

function updateLines(contract: UpdatePlan, palette: Palette, all: boolean): string[] {
  const blocked = contract.action === 'blocked';
  const symbol = blocked ? palette.error('!') : palette.changed('~');
  const verdict = blocked ? `  ${palette.error('blocked')}` : '';
  return [
    `${symbol} ${name(contract, palette)}${verdict}  ${place(contract.source, palette)}`,
    ...transitionLines(contract, palette),
    ...versionLines(contract, palette),
    ...problemLines(contract.problems, palette, all),
    ...contract.changes
      .filter((change) => !isTransition(change))
      .flatMap((change) => indent(changeLines(change, palette))),
  ];
}

/** A change of status matters most: it stands first, apart from the other fields. */
function transitionLines({ transition, changes }: UpdatePlan, palette: Palette): string[] {
  if (!transition) return [];
  const [from, to] = [transition.from, transition.to].map((status) =>
    status === null ? 'no status' : sanitizeLine(status),
  );
  const line = changes.find(isTransition)?.source?.line;
  const where = line === undefined ? '' : `  ${palette.faint(`:${line}`)}`;
  return [`  ${palette.changed('»')} ${palette.strong(`${from} → ${to}`)}${where}`];
}

function isTransition({ path }: Change): boolean {
  return path === '/entityStatus';
}

/** What harms no consumer is told on request alone. */
function problemLines(problems: readonly Problem[], palette: Palette, all: boolean): string[] {
  return problems
    .filter((problem) => all || isTold(problem))
    .flatMap((problem) => indent(diagnosticLines(problem, palette)));
}

function versionLines({ liveVersion, predictedVersions }: UpdatePlan, palette: Palette): string[] {
  if (liveVersion === undefined || predictedVersions.length === 0) return [];
  const next = predictedVersions.join(' or ');
  return [`  ${palette.faint(`version ${sanitizeLine(liveVersion)} → ${next} (expected)`)}`];
}

function missingLines(contract: MissingPlan, palette: Palette): string[] {
  return [
    `${palette.warning('?')} ${name(contract, palette)}  ${place(contract.source, palette)}`,
    ...contract.problems.flatMap((problem) => missingProblemLines(problem, palette)),
  ];
}

/** A warning is told by the sign in front of the contract. */
function missingProblemLines(problem: Problem, palette: Palette): string[] {
  const { severity, message, hint } = problem;
  if (severity === 'error') return indent(diagnosticLines(problem, palette));
  return [
    `  ${palette.warning(message)}`,
    ...(hint === undefined ? [] : [`  ${palette.faint(hint)}`]),
  ];
}

function name(contract: ContractPlan, palette: Palette): string {
  return palette.strong(sanitizeLine(contractLabel(contract)));
}

function place({ file, line }: SourcePosition, palette: Palette): string {
  return palette.faint(`${sanitizeLine(file)}:${line}`);
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
