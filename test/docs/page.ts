/**
 * A page of the documentation whose commands are run. `<!-- workspace FOLDER [DIALECT] [git] -->`
 * copies an example into a temporary folder and serves its `catalog.json`; the `console` blocks up to
 * the next such line are run there, in order. `<!-- $ COMMAND -->` is run and not shown, the
 * block below `<!-- file NAME -->` is written there, and `<!-- catalog NAME PATCH -->` is what a person edits
 * in the catalog meanwhile.
 */

export type Step =
  | { readonly kind: 'workspace'; readonly setting: Setting }
  | { readonly kind: 'hidden'; readonly command: string }
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'edit'; readonly contract: string; readonly patch: string }
  | { readonly kind: 'block'; readonly commands: readonly string[]; readonly place: Place };

export type Setting = {
  readonly folder: string;
  readonly dialect: 'standard' | 'openmetadata';
  readonly isInGit: boolean;
};

/** Where the text inside a fence begins and ends. */
type Place = { readonly start: number; readonly end: number };

const pattern =
  /^<!-- workspace (?<folder>\S+)(?<openmetadata> openmetadata)?(?<git> git)? -->$|^<!-- \$ (?<hidden>.+) -->$|^<!-- catalog (?<contract>\S+) (?<patch>.+) -->$|^<!-- file (?<name>\S+) -->\n+```\w+\n(?<text>[^]*?)^```$|^```console\n(?<block>[^]*?)^```$/gmu;

export function parseSteps(page: string): Step[] {
  return [...page.matchAll(pattern)].map(({ index, groups = {} }) => {
    const { folder, hidden, contract, patch, name, text = '', block = '' } = groups;
    if (folder !== undefined) {
      return {
        kind: 'workspace',
        setting: {
          folder,
          dialect: groups['openmetadata'] === undefined ? 'standard' : 'openmetadata',
          isInGit: groups['git'] !== undefined,
        },
      };
    }
    if (name !== undefined) return { kind: 'file', name, text };
    if (hidden !== undefined) return { kind: 'hidden', command: hidden };
    if (contract !== undefined) return { kind: 'edit', contract, patch: patch ?? '' };
    const start = index + '```console\n'.length;
    return {
      kind: 'block',
      commands: commandsOf(block),
      place: { start, end: start + block.length },
    };
  });
}

/** The first lines of console blocks that no run would write. */
export function blocksWithoutRun(page: string): string[] {
  const steps = parseSteps(page);
  const first = steps.findIndex(({ kind }) => kind === 'workspace');
  const run = steps.filter(
    (step, index) =>
      step.kind === 'block' && index > first && first !== -1 && step.commands.length > 0,
  );
  const starts = new Set(run.map((step) => step.kind === 'block' && step.place.start));
  return [...page.matchAll(/^[ \t]*(?:```+|~~~+)[ \t]*console\b.*\n(?<line>.*)/gmu)]
    .filter(
      ({ index, groups: { line = '' } = {} }) =>
        !starts.has(page.indexOf('\n', index) + 1) || !line.startsWith('$ '),
    )
    .map(({ groups }) => groups?.['line'] ?? '');
}

/** A line that begins with `$ `, and those after one that ends with a backslash. */
function commandsOf(block: string): string[] {
  return [...block.matchAll(/^\$ (?<command>(?:.*\\\n)*.*)$/gmu)].map(
    ({ groups }) => groups?.['command'] ?? '',
  );
}
