import { matchesSegments } from '../../../contract/name-pattern.ts';

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
    ([name]) => !isSecretName(name) && isNamedBy(variablesFrom, name),
  );
  return Object.fromEntries(allowed);
}

function isNamedBy(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesSegments([pattern], [name]));
}

/** The configuration's values, then those that it allows to be taken from the environment. */
export function makeLookup({
  variables,
  variablesFrom,
  environment,
}: VariableSources): LookupVariable {
  return (name) => {
    if (isSecretName(name)) return undefined;
    if (Object.hasOwn(variables, name)) return variables[name];
    return isNamedBy(variablesFrom, name) && Object.hasOwn(environment, name)
      ? environment[name]
      : undefined;
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
};

/** The text with each `${NAME}` and `${NAME:-default}` replaced; an empty value is none. */
export function resolveVariables(text: string, lookup: LookupVariable): ResolvedText {
  if (!text.includes('${')) return { text, missing: [] };
  const missing = new Set<string>();
  const resolved = text.replaceAll(
    reference,
    (whole: string, name: string, fallback: string | undefined) => {
      const value = lookup(name) || (isSecretName(name) ? undefined : fallback);
      if (value === undefined) missing.add(name);
      return value ?? whole;
    },
  );
  return { text: resolved, missing: [...missing] };
}

/** ODCS 3.2.0, "Variables". */
const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/gu;
