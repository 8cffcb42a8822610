import { ApiError } from '../catalog/api-error.ts';
import type { CatalogWriter } from '../catalog/catalog.ts';
import type { Dialect } from '../catalog/dialects/dialect.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { Patch } from '../patch/operation.ts';

/** How one sending of a patch ended. */
export type Sent =
  | { readonly kind: 'answered'; readonly live: LiveContract }
  /** The catalog refuses it for sure: it has not landed, and never will. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** One request too many; a gateway may say so of a patch that it has sent on. */
  | { readonly kind: 'throttled'; readonly error: ApiError }
  /** No yes has come: it may have landed, or may land yet. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  /** It has not left. */
  | { readonly kind: 'unsent'; readonly error: unknown };

/** What is sent. */
export type Sending = {
  readonly id: string;
  readonly patch: Patch;
  /** The tag of the state that the contract must have. */
  readonly ifMatch?: string | undefined;
};

/** What sending takes; the patience is the whole run's. */
type Sender = {
  readonly writer: CatalogWriter;
  readonly signal?: AbortSignal;
  readonly patience: ThrottlePatience;
};

/** Sends a patch once. Never throws: how it went wrong is what its caller goes by. */
export async function sendPatch(
  { id, patch, ifMatch }: Sending,
  { writer, signal, patience }: Sender,
  dialect: Dialect,
): Promise<Sent> {
  try {
    const live = await writer.patch(id, patch, signal, ifMatch);
    patience.noteAnswer();
    return { kind: 'answered', live };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'unsent', error };
    if (isThrottled(error) && patience.takesAnother()) return { kind: 'throttled', error };
    if (dialect.isRefusal(error)) return { kind: 'refused', error };
    return { kind: wasNeverSent(error) ? 'unsent' : 'lost', error };
  }
}

/** How long a run goes on with a catalog that answers nothing but that it is asked too often. */
export type ThrottlePatience = {
  readonly noteAnswer: () => void;
  /** Whether another such answer is taken for what it says, and not for a lost one. */
  readonly takesAnother: () => boolean;
};

/** The sender, which waits and knows the time, ends sooner. */
const mostThrottled = 1000;

export function createThrottlePatience(): ThrottlePatience {
  let inRow = 0;
  return {
    noteAnswer: () => {
      inRow = 0;
    },
    takesAnother: () => {
      inRow += 1;
      return inRow <= mostThrottled;
    },
  };
}

/** The sender waits before the next patch by itself, and ends with another error. */
function isThrottled({ code, status, retryAfterMs }: ApiError): boolean {
  return code === 'rate-limited' || (status === 503 && retryAfterMs !== undefined);
}

function wasNeverSent({ outcome, status }: ApiError): boolean {
  return outcome === 'none' && status === undefined;
}
