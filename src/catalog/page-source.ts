import type { PageReader } from './page-reader.ts';
import type { CatalogRequest } from './request.ts';
import type { Send } from './retry.ts';

/** Which page of a list to ask for. */
export type PageParameters = { readonly limit: number; readonly after?: string };

/** A list that can be walked. */
export type PageSource = {
  readonly request: (page: PageParameters) => CatalogRequest;
  readonly send: Send;
  readonly pages: PageReader;
  readonly pageSize: number | 'auto';
};
