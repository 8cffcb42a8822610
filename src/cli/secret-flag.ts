import type { Diagnostic } from '../core/diagnostic.ts';
import { isPlain, lazyPattern } from '../core/text.ts';

/**
 * What is wrong where a flag holds a secret, which is in the process list and in the shell's history
 * by now. To be asked before a parser quotes it; files that hold a secret have flags.
 */
export function findSecretFlag(args: readonly string[]): Diagnostic | undefined {
  // The sandbox takes a made-up token.
  if (args[0] === 'sandbox') return undefined;
  const end = args.indexOf('--');
  const name = args
    .slice(0, end === -1 ? args.length : end)
    .map(flagName)
    .find((flag) => flag !== undefined && isSecret(flag));
  if (name === undefined) return undefined;
  const { variable, file } = placeOf(name);
  return {
    code: 'secret-in-flag',
    severity: 'error',
    message: "A flag can't hold a secret: others can read it.",
    hint: `Set ${variable}, or name a file that holds it with ${file}. Replace a secret that is in use.`,
  };
}

/** What an unknown flag holds may be a secret by a misspelt name; commander quotes it. */
export function withoutFlagValue(message: string): string {
  return message.replace(/(unknown option '[^'=]*)=.*'/su, "$1'");
}

/**
 * `token` for `--token=…`, also with one dash, with one that a text processor has made longer, or
 * without any.
 */
function flagName(argument: string): string | undefined {
  const form = isPlain(argument) ? plainFlag : anyFlag();
  const { groups } = form.exec(argument) ?? {};
  return groups?.['name']?.toLowerCase();
}

const plainFlag = /^(?:-+|(?=\w+=))(?<name>[^=:\s/]+)/u;
const anyFlag = lazyPattern(String.raw`^(?:[-\p{Pd}]+|(?=\w+=))(?<name>[^=:\s/]+)`, 'u');

function isSecret(name: string): boolean {
  return /token|secret|password|bearer|jwt|key|credential|^auth/u.test(name) && !isFile(name);
}

function isFile(name: string): boolean {
  return /^(?:token|client-secret|private-key)-file$/u.test(name);
}

type SecretPlace = { readonly variable: string; readonly file: string };

function placeOf(name: string): SecretPlace {
  if (name.includes('secret')) {
    return { variable: 'CONTRACT_SYNC_CLIENT_SECRET', file: '--client-secret-file' };
  }
  if (name.includes('private')) {
    return { variable: 'CONTRACT_SYNC_PRIVATE_KEY', file: '--private-key-file' };
  }
  return { variable: 'CONTRACT_SYNC_TOKEN', file: '--token-file' };
}
