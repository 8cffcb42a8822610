/** contract-sync as a library: `docs/library.md` shows it at work. */

export type { Outcome, OutcomeResult, Outcomes } from './apply/outcome.ts';
export type { OutcomeError } from './apply/reasons.ts';
export type { AuthSettings, IssuerMethod, Secret } from './auth/token.ts';
export { IssuerError, type IssuerErrorCode, type IssuerErrorFacts } from './auth/issuer.ts';
export { staticToken, type TokenSource } from './auth/token.ts';
export type { CatalogRequest, OperationName, PatchOptions } from './catalog/catalog.ts';
export { ApiError, type Fault, type FaultCode } from './catalog/fault.ts';
export type { ChangedFields, EntityReference } from './contract/contract.ts';
export type { DownstreamAsset } from './contract/lineage.ts';
export type {
  Diagnostic,
  Impact,
  Permission,
  Problem,
  Severity,
  SourcePosition,
} from './core/diagnostic.ts';
export { ConfigError, SyncError } from './core/diagnostic.ts';
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './core/json.ts';
export { InexactNumber } from './core/json.ts';
export type { Validation } from './files/files.ts';
export {
  type ApplyOptions,
  applyPlan as apply,
  evaluatePatch as evaluate,
  openTokenSource,
  type Options,
  syncFiles as sync,
  validate,
  type ValidateOptions,
} from './library.ts';
export type { DescribedOperation, Difference } from './patch/describe.ts';
export { diff } from './patch/diff.ts';
export type { Edit } from './patch/diff.ts';
export type { Operation, Patch } from './patch/evaluate.ts';
export type { DiffOptions } from './patch/identity.ts';
export type { Pointer } from './patch/pointer.ts';
export type {
  Action,
  AgreementReader,
  Announcement,
  AskedRollback,
  Cause,
  Change,
  ContractPlan,
  CreatePlan,
  DriftedPlace,
  FormerFile,
  Downstream,
  LeftDrift,
  LiveBlame,
  LimitName,
  LiveIdentity,
  LiveState,
  MissingPlan,
  Override,
  Plan,
  PlannedDialect,
  PlanOfFile,
  PlanSummary,
  ReaderAgreement,
  ReaderAnswer,
  SelectionSummary,
  Transition,
  UnchangedPlan,
  UnmanagedPlan,
  UpdatePlan,
} from './plan/plan.ts';
export type { Selection } from './plan/selection.ts';
export { patchOf } from './plan/seal.ts';
export { renderOutcomesJson } from './report/json.ts';
export { renderOutcomesText } from './report/outcomes.ts';
export { coloured, type Paint, type Palette, plain } from './report/blocks.ts';
export { type PlanTextOptions, renderPlanJson, renderPlanText } from './report/plan.ts';
export {
  comparePlans,
  type Comparison,
  type ContractComparison,
  type DifferenceComparison,
} from './review/compare.ts';
export { openPlan } from './review/open-plan.ts';
