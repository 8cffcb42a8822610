import type { CatalogReader, CatalogWriter } from '../catalog/catalog.ts';
import type { Transport } from '../catalog/connection.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { Rules } from '../plan/rules.ts';
import type { Guarding } from './guard.ts';

/** What the changes of one run share. */
export type Run = {
  readonly reader: CatalogReader;
  readonly writer: CatalogWriter;
  readonly rules: Pick<Rules, 'equivalence' | 'arrays'>;
  readonly dialect: DialectSetting;
  readonly signal?: AbortSignal;
  readonly onRetry?: (line: string) => void;
  readonly transport: Pick<Transport, 'sleep' | 'random'>;
  readonly guarding: Guarding;
};
