/** Documents for programs. */

import type { Outcomes } from '../apply/outcome.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { failures as failuresByCode } from '../generated/failures.js';
import { contractProblems, type Plan } from '../plan/plan.ts';
import { sealPlan } from '../plan/change.ts';
import type { Audit } from '../history/drift.ts';
import type { Examination } from '../doctor/examine.ts';
import type { Validation } from '../files/files.ts';
import { needsEyes } from './contract.ts';
import { codesOf } from './problems.ts';

/** The plan as `schemas/plan.schema.json` describes it; ends with a line break. */
export function renderPlanJson(plan: Plan, { all }: { readonly all: boolean }): string {
  const contracts = all
    ? plan.contracts
    : plan.contracts.filter((contract) => needsEyes(contract) || 'drift' in contract);
  return formatDocument(sealPlan({ ...plan, contracts, ...failureOfPlan(plan) }));
}

/** The outcomes as `schemas/outcomes.schema.json` describes them; ends with a line break. */
export function renderOutcomesJson(
  outcomes: Outcomes,
  { verbose }: { readonly verbose: boolean },
): string {
  // The catalog's account of a change repeats whole sections of the contract.
  const told = outcomes.outcomes.map((outcome) =>
    verbose ? outcome : { ...outcome, changeDescription: undefined },
  );
  return formatDocument({ ...outcomes, ...failureOfOutcomes(outcomes), outcomes: told });
}

/** The validation as `schemas/validation.schema.json` describes it; ends with a line break. */
export function renderValidationJson({ diagnostics, ...rest }: Validation): string {
  return formatDocument({ ...rest, ...failureOf(diagnostics), diagnostics });
}

/** The examination as `schemas/examination.schema.json` describes it; ends with a line break. */
export function renderExaminationJson({ checks, ...rest }: Examination): string {
  const code = checks.find(({ verdict }) => verdict === 'bad')?.code;
  return formatDocument({
    ...rest,
    ...(code !== undefined && { failure: failureOfCode(code) }),
    checks,
  });
}

/** An audit, or why there is none; ends with a line break. */
export function renderAuditJson(audit: Partial<Audit> & Pick<Validation, 'diagnostics'>): string {
  return formatDocument({ formatVersion: '1.0', ...failureOf(audit.diagnostics), ...audit });
}

/** The problems as a SARIF 2.1.0 log, as code-scanning services take it; ends with a line break. */
export function renderSarif(diagnostics: readonly Diagnostic[], version: string): string {
  const codes = codesOf(diagnostics);
  const rules = codes.map((id) => ({ id }));
  const run = {
    tool: { driver: { name: 'contract-sync', version, rules } },
    columnKind: 'utf16CodeUnits',
    results: diagnostics.map((diagnostic) => sarifResult(diagnostic, codes)),
  };
  return formatDocument({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  });
}

function sarifResult(diagnostic: Diagnostic, codes: readonly string[]) {
  const { code, severity, message, hint, source } = diagnostic;
  const physicalLocation = source && {
    artifactLocation: { uri: relativeUri(source.file) },
    region: { startLine: source.line, startColumn: source.column },
  };
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity === 'information' ? 'note' : severity,
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    ...(physicalLocation && { locations: [{ physicalLocation }] }),
  };
}

/** A path as a relative reference (RFC 3986 §4.2): a colon must not make it a scheme. */
function relativeUri(file: string): string {
  return file.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** As JSON files are written; ends with a line break. */
export function formatDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const failures = ['config', 'files', 'auth', 'network', 'policy', 'review', 'apply'] as const;

/** What kind of failure it was, for scripts: no message has to be read for it. */
type Failure = (typeof failures)[number];

/** The kind of the first error, as a member of a document; none where nothing failed. */
export function failureOf(diagnostics: readonly Diagnostic[]): { readonly failure?: Failure } {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (!error) return {};
  // A key that isn't known may stand in the configuration as well as in a contract.
  const isOfConfiguration = error.source?.format === 'configuration';
  return { failure: isOfConfiguration ? 'config' : failureOfCode(error.code) };
}

/** What concerns the whole plan comes before what concerns one contract. */
function failureOfPlan({ diagnostics, contracts }: Plan) {
  return failureOf([...diagnostics, ...contracts.flatMap(contractProblems)]);
}

/** What was sent and failed comes before what was never sent: it may be the reason. */
function failureOfOutcomes({ outcomes, diagnostics }: Outcomes) {
  const bad = outcomes.filter(({ error }) => error !== null);
  const first = bad.find(({ result }) => result !== 'skipped') ?? bad[0];
  return first?.error ? { failure: failureOfCode(first.error.code) } : failureOf(diagnostics);
}

/** The codes that the table lacks are the compatibility rules, which are policy. */
function failureOfCode(code: string): Failure {
  const kind = Object.hasOwn(failuresByCode, code) ? failuresByCode[code] : undefined;
  return failures.find((failure) => failure === kind) ?? 'policy';
}
