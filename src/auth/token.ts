/** Where the bearer token of a request comes from. */
export type TokenSource = () => Promise<string>;
