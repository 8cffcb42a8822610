/** contract-sync as a library: what the command line is made of. */

export { apply } from './apply/apply.ts';
export type { Apply } from './apply/run.ts';
export type { AuthEffects } from './auth/effects.ts';
export { IssuerError } from './auth/issuer-error.ts';
export type { AuthSettings, Secret } from './auth/choose.ts';
export { createTokenSource } from './auth/source.ts';
export { staticToken } from './auth/token.ts';
export type { TokenSource } from './auth/token.ts';
export { ApiError } from './catalog/api-error.ts';
export type {
  CatalogReader,
  CatalogWriter,
  ListQuery,
  Page,
  VersionHistory,
} from './catalog/catalog.ts';
export type { LiveContract } from './contract/contract.ts';
export { createReader, createWriter, type CatalogConnection } from './catalog/client.ts';
export type { Diagnostic, Severity, SourcePosition } from './core/diagnostic.ts';
export { ConfigError, DiagnosticsError, SyncError } from './core/errors.ts';
export { editYaml, type EditOptions, type YamlEdit } from './files/edit/edit.ts';
export type { EditRefusal } from './files/edit/refusal.ts';
export type { EditNotice, RemovedComment } from './files/edit/state.ts';
export { readContracts, type FileSelection, type ReadResult } from './files/files.ts';
export type { JsonArray, JsonObject, JsonValue } from './core/json.ts';
export { diff, type DiffOptions, type Edit } from './patch/diff.ts';
export { evaluate } from './patch/evaluate.ts';
export type { Operation, Patch } from './patch/operation.ts';
export { defaultLifecycle, type Lifecycle } from './contract/lifecycle.ts';
export type { Outcome, Outcomes } from './apply/outcome.ts';
export type { Change, ContractPlan, Plan } from './plan/plan.ts';
export { defaultRules, type Rules } from './plan/rules.ts';
export type { Selection } from './plan/selection.ts';
export { comparePlans, type Comparison } from './review/compare.ts';
export { openPlan } from './plan/saved.ts';
export { renderOutcomesText } from './report/text/outcomes.ts';
export { coloured, plain, type Palette } from './report/text/palette.ts';
export { renderPlanJson } from './report/json.ts';
export { renderPlanText } from './report/text/plan.ts';
export { review, withReview, type Review, type Reviewed } from './review/review.ts';
export { sync, type Sync } from './sync.ts';
