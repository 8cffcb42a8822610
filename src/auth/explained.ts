import { SyncError } from '../core/errors.ts';
import type { Client } from './choose.ts';
import { IssuerError } from './issuer-error.ts';

/** What is thrown by openid-client itself tells of answers that keep to no standard. */
export async function explained<T>(client: Client, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw ourOwn(error) ?? nonconforming(client, error);
  }
}

/** What our fetch has thrown comes wrapped. */
function ourOwn(error: unknown): Error | undefined {
  if (error instanceof SyncError) return error;
  return error instanceof Error ? ourOwn(error.cause) : undefined;
}

function nonconforming({ issuer }: Client, error: unknown): IssuerError {
  if (!(error instanceof Error)) return unexpectedAnswer(issuer, String(error));
  const isAnother = 'code' in error && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  if (!isAnother) return unexpectedAnswer(issuer, error.message);
  return new IssuerError(
    'issuer-mismatch',
    `The discovery document of ${issuer} belongs to another issuer.`,
    { hint: 'Write the issuer as its discovery document does, to the last slash.' },
  );
}

function unexpectedAnswer(issuer: string, complaint: string): IssuerError {
  return new IssuerError(
    'issuer-unexpected',
    `The issuer ${issuer} answers with what no OpenID issuer does: ${complaint}.`,
    { hint: 'Check the issuer, and whether a login page or proxy stands in front of it.' },
  );
}
