import type { Outcomes } from '../apply/outcome.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { failures as failuresByCode } from '../generated/failures.js';
import { contractProblems, type Plan } from '../plan/plan.ts';
import type { Examination } from '../doctor/examine.ts';
import type { Validation } from '../files/files.ts';
import { contractLabel } from '../contract/identity.ts';
import { sanitizeLine } from '../core/text.ts';

export function renderOutcomesJson(outcomes: Outcomes): string {
  // Failed changes come before ones that were not sent or wait, since they may be the reason.
  const bad = outcomes.outcomes.filter(({ error }) => error !== null);
  const first = bad.find(({ result }) => result !== 'skipped' && result !== 'held') ?? bad[0];
  const failure = first?.error
    ? { failure: failureOfCode(first.error.code) }
    : failureOf(outcomes.diagnostics);
  return formatDocument({ ...outcomes, ...failure });
}

export function renderValidationJson({ diagnostics, ...rest }: Validation): string {
  return formatDocument({ ...rest, ...failureOf(diagnostics), diagnostics });
}

export function renderExaminationJson({ checks, ...rest }: Examination): string {
  const code = checks.find(({ verdict }) => verdict === 'bad')?.code;
  return formatDocument({
    ...rest,
    ...(code !== undefined && { failure: failureOfCode(code) }),
    checks,
  });
}

export function renderFailure(diagnostics: readonly Diagnostic[]): string {
  return formatDocument({ formatVersion: '1.0', ...failureOf(diagnostics), diagnostics });
}

export function formatDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const failures = ['config', 'files', 'auth', 'network', 'policy', 'review', 'apply'] as const;

export function failureOf(diagnostics: readonly Diagnostic[]) {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (!error) return {};
  // An unknown key may be in the configuration or in a contract.
  const isOfConfiguration = error.source?.format === 'configuration';
  return { failure: isOfConfiguration ? 'config' : failureOfCode(error.code) };
}

// Codes missing from the table are compatibility rules, which are policy.
export function failureOfCode(code: string) {
  const kind = Object.hasOwn(failuresByCode, code) ? failuresByCode[code] : undefined;
  return failures.find((failure) => failure === kind) ?? 'policy';
}

/** A contract, a file, or the run as a whole. */
export type TestCase = {
  readonly name: string;
  readonly problems: readonly Diagnostic[];
  readonly isSkipped?: boolean;
};

export function planCases({ contracts, diagnostics }: Plan): TestCase[] {
  const ofContracts = contracts
    .filter(({ action }) => action !== 'unmanaged')
    .map((contract) => ({ name: contractLabel(contract), problems: contractProblems(contract) }));
  return [{ name: 'the plan', problems: diagnostics }, ...ofContracts];
}

export function outcomeCases({ outcomes, diagnostics }: Outcomes): TestCase[] {
  const ofContracts = outcomes.map(({ id, fullyQualifiedName, result, warnings = [], error }) => ({
    name: fullyQualifiedName ?? id ?? 'a contract without a name',
    isSkipped: result === 'skipped',
    problems: [...warnings, ...(error ? [{ ...error, severity: 'error' as const }] : [])],
  }));
  return [{ name: 'the apply', problems: diagnostics }, ...ofContracts];
}

export function validationCases(diagnostics: readonly Diagnostic[], files: number): TestCase[] {
  const byFile = Map.groupBy(diagnostics, ({ source }) => source?.file ?? 'the run');
  const named = [...byFile].map(([name, problems]) => ({ name, problems }));
  const sound = files - [...byFile.keys()].filter((name) => name !== 'the run').length;
  return sound > 0 ? [...named, { name: `files without problems: ${sound}`, problems: [] }] : named;
}

/** In the form that Jenkins, GitLab and Azure read (junit-10.xsd); ends with a line break. */
export function renderJunit(cases: readonly TestCase[]): string {
  // GitLab keeps the first of two cases with one name, and ignores the other.
  const tests = [...Map.groupBy(cases, ({ name }) => name)].map(([name, alike]) => {
    const problems = alike.flatMap((each) => each.problems);
    const errors = problems.filter(({ severity }) => severity === 'error');
    const isSkipped = alike.some((each) => each.isSkipped);
    return { name, errors, others: problems.filter((each) => !errors.includes(each)), isSkipped };
  });
  const skipped = tests.filter(({ isSkipped }) => isSkipped).length;
  const failed = tests.filter(({ isSkipped, errors }) => !isSkipped && errors.length > 0).length;
  const totals = `tests="${tests.length}" failures="${failed}" errors="0"`;
  const lines = tests.flatMap(({ name, errors, others, isSkipped }) => [
    `    <testcase classname="contract-sync" name="${escape(name)}">`,
    ...errors.map((error) => element(isSkipped ? 'skipped' : 'failure', error)),
    ...(others.length > 0
      ? [`      <system-out>${others.map(lineOf).join('\n')}</system-out>`]
      : []),
    '    </testcase>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="contract-sync" ${totals}>`,
    `  <testsuite name="contract-sync" ${totals} skipped="${skipped}">`,
    ...lines,
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n');
}

function element(name: 'failure' | 'skipped', problem: Diagnostic): string {
  const attributes = `type="${escape(problem.code)}" message="${escape(problem.message)}"`;
  return `      <${name} ${attributes}>${lineOf(problem)}</${name}>`;
}

function lineOf({ source, severity, message, code, hint }: Diagnostic): string {
  const place = source ? `${source.file}:${source.line}:${source.column}: ` : '';
  const advice = hint === undefined ? '' : `\n  ${escape(hint)}`;
  return `${escape(`${place}${severity}: ${message} [${code}]`)}${advice}`;
}

function escape(text: string): string {
  return sanitizeLine(text.toWellFormed())
    .replaceAll(/[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
