import type { JsonValue } from '../core/json.ts';

/** One operation of a JSON Patch (RFC 6902 §4); `path` and `from` are JSON Pointers (RFC 6901). */
export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'copy'; readonly from: string; readonly path: string }
  | { readonly op: 'test'; readonly path: string; readonly value: JsonValue };

/** Operations in the order in which they are applied (RFC 6902 §3). */
export type Patch = readonly Operation[];
