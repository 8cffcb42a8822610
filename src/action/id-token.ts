import { IssuerError } from '../auth/refusal.ts';
import type { Runner } from './runner.ts';

type IdToken = NonNullable<Runner['idToken']>;

/** GitHub's ID token as the toolkit asks for it, with a failure that says what to do. */
export function explainedIdToken(idToken: IdToken): IdToken {
  return async (audience) => {
    try {
      return await idToken(audience);
    } catch (error) {
      throw refusal(error);
    }
  };
}

function refusal(cause: unknown): IssuerError {
  const words = cause instanceof Error ? cause.message : String(cause);
  const complaint = words.replaceAll(/\s+/gu, ' ').replace('Error message: ', '');
  return new IssuerError('issuer-failed', `GitHub gives no ID token (${complaint}).`, {
    hint: 'The job needs the permission `id-token: write`.',
    // The toolkit asks again where GitHub is too busy, and not where the connection was lost.
    transient: complaint.includes('Error Code : undefined'),
    cause,
  });
}
