import type { ValidateFunction } from 'ajv';

/** Checks a document against `schemas/config.schema.json`. */
export declare const validate: ValidateFunction;
