import { ApiError } from './api-error.ts';
import { startPageSize } from './page-size.ts';
import type { CatalogRequest, FaultCode } from './request.ts';

/** The list that is at fault, of which its first request is named. */
type FaultyList = {
  readonly request: (page: { readonly limit: number }) => CatalogRequest;
  readonly pageSize: number | 'auto';
};

/** A list that cannot be trusted to be whole: nothing is planned on it. */
export function incompleteRead(list: FaultyList, complaint: string): ApiError {
  return listFault(list, 'incomplete-read', `Can't read the whole list of contracts: ${complaint}`);
}

/** A list that has gone on far beyond what it says of itself. */
export function endlessList(list: FaultyList, total: number, read: number): ApiError {
  const complaint = `The list of contracts doesn't end: the catalog counts ${total} and has returned ${read}`;
  return listFault(list, 'list-does-not-end', complaint);
}

function listFault({ request, pageSize }: FaultyList, code: FaultCode, what: string): ApiError {
  const fault = {
    code,
    message: `${what}.`,
    hint: 'Nothing was changed. Run again when the catalog is less busy. If it keeps failing, its paging is broken: try another --page-size and report it to the operators.',
    transient: false,
    mayHaveLanded: false,
  };
  return new ApiError(request({ limit: startPageSize(pageSize).limit }), fault, 1);
}
