import type { ValidateFunction } from 'ajv';

/** Checks a document against `schemas/contract.schema.json`. */
export declare const validate: ValidateFunction;
