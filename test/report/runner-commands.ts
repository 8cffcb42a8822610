/**
 * The two command parsers of the GitHub runner (`ActionCommand.cs`), as the oracle of what a log
 * line does. They compare as the culture does, in which ICU gives some characters no weight.
 */

export type RunnerCommand = {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
};

export function parseCommand(line: string): RunnerCommand | undefined {
  return parseCurrent(line) ?? parseLegacy(line);
}

const registered = new Set(
  'internal-set-repo-path set-env set-output save-state add-mask add-path add-matcher remove-matcher debug warning error notice group endgroup echo stop-commands'.split(
    ' ',
  ),
);

/** No wider than ICU's: control and format characters, marks, variation selectors. */
const weightless = /[\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** .NET's `TrimStart` takes the white space of Unicode. */
const leadingSpace = /^[\s\u0085]+/u;

/** `::name key=value,key=value::message` (`TryParseV2`). */
function parseCurrent(line: string): RunnerCommand | undefined {
  const trimmed = line.replace(leadingSpace, '');
  const start = find(trimmed, '::', 0);
  if (start?.from !== 0) return undefined;
  const end = find(trimmed, '::', start.to);
  if (!end) return undefined;
  return build(trimmed.slice(start.to, end.from), trimmed.slice(end.to), {
    separator: ',',
    unescape: unescapeWith(['%0D', '%0A', '%25']),
    unescapeProperty: unescapeWith(['%0D', '%0A', '%3A', '%2C', '%25']),
  });
}

/** `##[name key=value;key=value]message` (`TryParse`). */
function parseLegacy(line: string): RunnerCommand | undefined {
  const start = find(line, '##[', 0);
  const end = start ? line.indexOf(']', start.to) : -1;
  if (!start || end < 0) return undefined;
  const unescape = unescapeWith(['%3B', '%0D', '%0A', '%5D', '%25']);
  return build(line.slice(start.to, end), line.slice(end + 1), {
    separator: ';',
    unescape,
    unescapeProperty: unescape,
  });
}

/** In the runner's order. */
function unescapeWith(escapes: readonly string[]) {
  return (text: string) =>
    escapes.reduce((rest, escape) => rest.replaceAll(escape, decodeURIComponent(escape)), text);
}

type Dialect = {
  readonly separator: string;
  readonly unescape: (text: string) => string;
  readonly unescapeProperty: (text: string) => string;
};

function build(head: string, message: string, dialect: Dialect): RunnerCommand | undefined {
  const space = head.indexOf(' ');
  const name = (space < 0 ? head : head.slice(0, space)).toLowerCase();
  if (!registered.has(name)) return undefined;
  const pairs =
    space < 0
      ? []
      : head
          .slice(space + 1)
          .trim()
          .split(dialect.separator);
  const properties = Object.fromEntries(
    pairs
      .map((pair) => pair.match(/^=*([^=]+)=(.+)$/su))
      .filter((match) => match !== null)
      .map(([, key = '', value = '']) => [key, dialect.unescapeProperty(value)]),
  );
  return { name, properties, message: dialect.unescape(message) };
}

/** Where the needle stands when weightless characters count for nothing; leading ones belong to it. */
function find(text: string, needle: string, start: number) {
  for (let from = start; from < text.length; from += 1) {
    const to = matchAt(text, needle, from);
    if (to !== undefined) return { from, to };
  }
  return undefined;
}

function matchAt(text: string, needle: string, from: number): number | undefined {
  let position = from;
  for (const wanted of needle) {
    while (position < text.length && weightless.test(text.charAt(position))) position += 1;
    if (text.charAt(position) !== wanted) return undefined;
    position += 1;
  }
  return position;
}
