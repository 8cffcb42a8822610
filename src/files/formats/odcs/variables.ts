import { matchesSegments } from '../../../contract/names.ts';

/** What a `${NAME}` stands for; undefined where nothing gives it a value. */
export type LookupVariable = (name: string) => string | undefined;

/** Where values may come from. */
type VariableSources = {
  readonly variables: { readonly [name: string]: string };
  /** Patterns of the names that the environment may give a value. */
  readonly variablesFrom: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
};

/** The variables of an environment that patterns allow. */
export function allowedVariables(
  variablesFrom: readonly string[],
  environment: VariableSources['environment'],
): VariableSources['environment'] {
  const allowed = Object.entries(environment).filter(
    ([name, value]) => !isSecretName(name) && isAllowedBy(variablesFrom, name, value),
  );
  return Object.fromEntries(allowed);
}

/** A pattern allows no secret: one has to be named in full. */
function isAllowedBy(patterns: readonly string[], name: string, value = ''): boolean {
  if (patterns.includes(name)) return true;
  if (looksSecret(name) || urlWithPassword.test(value)) return false;
  return patterns.some((pattern) => matchesSegments([pattern], [name]));
}

/** By the words that names of secrets are made of. */
export function looksSecret(name: string): boolean {
  return /TOKEN|SECRET|KEY|PASS|PWD|CRED|AUTH|JWT|BEARER|COOKIE|SESSION|SIGNATURE|PRIVATE|CERT|WEBHOOK|DSN|(?:^|_)(?:PAT|PIN|SAS|OTP|SALT)(?:_|$)/iu.test(
    name,
  );
}

const urlWithPassword = /^\s*[a-z][a-z\d+.-]*:\/\/[^/?#\s]*@/iu;

/** The configuration's values, then those that it allows to be taken from the environment. */
export function makeLookup({
  variables,
  variablesFrom,
  environment,
}: VariableSources): LookupVariable {
  return (name) => {
    if (isSecretName(name)) return undefined;
    if (Object.hasOwn(variables, name)) return variables[name];
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return isAllowedBy(variablesFrom, name, value) ? value : undefined;
  };
}

/**
 * Names under which this program and GitHub's runner keep secrets. A pull request could write them
 * into a description, so they have no value, whatever the configuration allows.
 */
export function isSecretName(name: string): boolean {
  return /^(?:CONTRACT_SYNC_|ACTIONS_|INPUT_|GITHUB_TOKEN$|GH_TOKEN$)/iu.test(name);
}

export type ResolvedText = {
  /** With what could be resolved. */
  readonly text: string;
  /** The variables without a value, each once. */
  readonly missing: readonly string[];
  /** How many characters the values have together. */
  readonly added: number;
};

/**
 * The text with each `${NAME}` and `${NAME:-default}` replaced; an empty value is none. Values that
 * have more characters together than there is `room` stay unresolved.
 */
export function resolveVariables(
  text: string,
  lookup: LookupVariable,
  room = Infinity,
): ResolvedText {
  const missing = new Set<string>();
  let added = 0;
  // Behind the last brace nothing is a reference, and each start of one would be searched to the end.
  const end = text.lastIndexOf('}') + 1;
  const resolved = text
    .slice(0, end)
    .replaceAll(reference, (whole: string, name: string, fallback: string | undefined) => {
      const value = lookup(name) || (isSecretName(name) ? undefined : fallback);
      if (value === undefined) missing.add(name);
      added += value?.length ?? 0;
      return value === undefined || added > room ? whole : value;
    });
  return { text: resolved + text.slice(end), missing: [...missing], added };
}

/** ODCS 3.2.0, "Variables". */
const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/gu;
