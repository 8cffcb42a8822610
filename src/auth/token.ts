/**
 * Where the bearer token of a request comes from. `rejected` is a token that was just answered
 * with 401: a source that remembers its token must not give that one again if it can make another.
 */
export type TokenSource = (rejected?: string) => Promise<string>;
