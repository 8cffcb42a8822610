import { ApiError } from './api-error.ts';
import { startPageSize } from './page-size.ts';
import type { PageSource } from './page-source.ts';

/** A list that cannot be trusted to be whole: nothing is planned on it. */
export function incompleteRead({ request, pageSize }: PageSource, complaint: string): ApiError {
  const fault = {
    code: 'incomplete-read',
    message: `The catalog's list of contracts cannot be read whole: ${complaint}.`,
    hint: 'Nothing was changed. Run again when the catalog is quiet; if it stays so, its paging is broken: try another --page-size and tell its operators.',
    transient: false,
    mayHaveLanded: false,
  } as const;
  return new ApiError(request({ limit: startPageSize(pageSize).limit }), fault, 1);
}
