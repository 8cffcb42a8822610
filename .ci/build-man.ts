/** Writes the manual page, from what `--help` is made of. */

import { writeFileSync } from 'node:fs';
import type { Command, Help } from 'commander';
import { describeProgram } from '../src/cli/program.ts';
import { version } from '../src/version.ts';

/** `file` is `dist/contract-sync.1`. */
export function buildManual(file: string): void {
  writeFileSync(file, renderManual());
}

/** In roff, for the macros of man(7). */
export function renderManual(): string {
  const program = describeProgram({ write: ignore, report: ignore }, () => async () => {});
  return [
    `.TH CONTRACT\\-SYNC 1 "" "contract\\-sync ${version}" "User Commands"`,
    '.SH NAME',
    'contract\\-sync \\- data contracts as code',
    '.SH SYNOPSIS',
    '.B contract\\-sync',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    roff(program.description()),
    '.SH COMMANDS',
    ...commandsBelow(program).flatMap(describeCommand),
    '.SH EXIT STATUS',
    ...describeTerm('0', 'done'),
    ...describeTerm('1', 'an error, or a plan that may not be applied'),
    ...describeTerm('2', 'with --detailed-exitcode or --check: there is something to do'),
    '.SH SEE ALSO',
    'https://github.com/contract\\-sync/contract\\-sync',
    '',
  ].join('\n');
}

function ignore(): void {}

/** Those that do something, in the order of the help: `auth login`, not `auth`. */
function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((below) =>
    below.commands.length > 0 ? commandsBelow(below) : [below],
  );
}

function describeCommand(command: Command): string[] {
  const help: Help = Object.assign(command.createHelp(), command.configureHelp());
  return [
    `.SS ${roff(help.commandUsage(command))}`,
    roff(command.description()),
    ...help
      .visibleArguments(command)
      .flatMap((argument) => describeTerm(help.argumentTerm(argument), argument.description)),
    ...help
      .visibleOptions(command)
      .flatMap((option) => describeTerm(help.optionTerm(option), help.optionDescription(option))),
  ];
}

function describeTerm(term: string, description: string): string[] {
  return ['.TP', `.B ${roff(term)}`, roff(description)];
}

/** A line cannot begin with a request; a hyphen is typed as it is. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/u, '\\&');
}
