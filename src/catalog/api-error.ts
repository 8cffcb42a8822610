import { SyncError } from '../core/errors.ts';
import { displayUrl } from '../http/address.ts';
import type { CatalogRequest, Fault, FaultCode } from './request.ts';

/** A request that failed for good. */
export class ApiError extends SyncError {
  override readonly name = 'ApiError';
  declare readonly code: FaultCode;
  readonly method: string;
  /** Without credentials and query secrets. */
  readonly url: string;
  readonly status: number | undefined;
  /** The server's own words, if it has said any. */
  readonly reason: string | undefined;
  /** The server's name for this request, to be quoted to its operators. */
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  /** An earlier sending was one request too many: that may have landed all the same. */
  readonly isSecondTry: boolean;
  /** `unknown`: a change may have landed although no answer says so. Read before sending again. */
  readonly outcome: 'none' | 'unknown';
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(request: CatalogRequest, fault: Fault, attempts: number) {
    super(fault.code, `${fault.message} ${circumstances(request, fault, attempts)}`, fault);
    this.method = request.method;
    this.url = displayUrl(request.url);
    this.status = fault.status;
    this.reason = fault.reason;
    this.requestId = fault.requestId;
    this.attempts = attempts;
    this.transient = fault.transient;
    this.isSecondTry = fault.isSecondTry ?? false;
    this.outcome = request.method !== 'GET' && fault.mayHaveLanded ? 'unknown' : 'none';
    this.retryAfterMs = fault.retryAfterMs;
  }
}

function circumstances(request: CatalogRequest, fault: Fault, attempts: number): string {
  const facts = [
    `${request.method} ${displayUrl(request.url)}`,
    fault.status !== undefined && `status ${fault.status}`,
    fault.requestId !== undefined && `request id ${fault.requestId}`,
    attempts > 1 && `${attempts} attempts`,
  ];
  return `(${facts.filter((fact) => fact !== false).join(', ')})`;
}
