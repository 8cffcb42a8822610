import type { JsonObject, JsonValue } from '../core/json.ts';
import type { FindCarrier } from './carrier.ts';
import type { FieldCheck, FieldProblem } from './field-check.ts';
import type { Lifecycle } from './lifecycle.ts';

/** What the rules of a plan have to know of the kind of catalog that it is made for. */
export type Conventions = {
  /** What holds where none is configured. */
  readonly lifecycle: Lifecycle;
  /** The versions that a change of these top-level fields may lead to, lowest first: for people. */
  readonly predictVersions: (version: string, changedFields: Iterable<string>) => string[];
  /** What of a file the catalog would refuse, or bend without a word. */
  readonly checkFields: FieldCheck;
  /** What is to be said of a change before it is sent; the pointers lead into the file. */
  readonly checkChange: (live: JsonObject, target: JsonObject) => readonly FieldProblem[];
  /** Whether a `test` compares a top-level field with what answers have for it. */
  readonly isTestable: (field: string) => boolean;
  /** A value of a top-level field as a file would write it. */
  readonly asWritten: (field: string, value: JsonValue) => JsonValue;
  /** What has to go with a change so that it is stored. */
  readonly findCarrier: FindCarrier;
};
