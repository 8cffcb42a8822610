import { generateKeyPair, SignJWT } from 'jose';

/** With which GitHub signs ID tokens. */
export const gitHubKeys = await generateKeyPair('RS256');

/** What a workflow of octo/contracts is given for an audience. */
export function gitHubIdToken(audience: string): Promise<string> {
  return new SignJWT({ repository: 'octo/contracts' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer('https://token.actions.githubusercontent.com')
    .setSubject('repo:octo/contracts:ref:refs/heads/main')
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(gitHubKeys.privateKey);
}
