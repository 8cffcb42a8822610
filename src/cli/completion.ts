import { type Command, type Option } from 'commander';
import { loadFile } from '../config/file.ts';
import { findRoot } from '../config/root.ts';
import { SyncError } from '../core/errors.ts';
import {
  bashScript,
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  fishScript,
  zshScript,
} from './completion-scripts.ts';
import { explanations } from './explain.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * `contract-sync completion`: prints a script by which a shell completes commands and flags, or
 * what such a script asks for while somebody types.
 */
export function runCompletion(
  { write, folder }: Terminal,
  wanted: keyof typeof scripts | 'environments',
  _flags: object,
  { parent }: Command,
): ExitCode {
  const lines =
    wanted === 'environments'
      ? environmentsIn(folder).map((name) => `${name}\n`)
      : [scripts[wanted](describeAll(parent?.commands ?? []))];
  write(lines.join(''));
  return exitCode.done;
}

/** None where the configuration has mistakes: nobody wants to read of them in mid-word. */
function environmentsIn(folder: string): readonly string[] {
  try {
    const { environments = {} } = loadFile(undefined, findRoot(folder)).settings;
    return Object.keys(environments);
  } catch (error) {
    if (error instanceof SyncError) return [];
    throw error;
  }
}

function describeAll(commands: readonly Command[]): readonly CompletedCommand[] {
  const words = commands.map((command) => command.name());
  const help: CompletedCommand = {
    name: 'help',
    description: 'print help for a command',
    argument: { kind: 'words', words },
    options: [],
  };
  return [...commands.map(describeCommand), help];
}

function describeCommand(command: Command): CompletedCommand {
  return {
    name: command.name(),
    description: command.description(),
    argument: argumentOf(command),
    options: [
      ...command.options.flatMap(describeOption),
      { flag: '--help', description: 'print help' },
    ],
  };
}

function argumentOf(command: Command): CompletedValue {
  const [argument] = command.registeredArguments;
  if (!argument) return { kind: 'anything' };
  if (argument.name() === 'code') return { kind: 'words', words: Object.keys(explanations) };
  return argument.argChoices ? { kind: 'words', words: argument.argChoices } : { kind: 'files' };
}

function describeOption(option: Option): CompletedOption[] {
  const { long, description, required } = option;
  if (!long) return [];
  return [{ flag: long, description, ...(required && { value: valueOf(option) }) }];
}

function valueOf({ long, flags, argChoices }: Option): CompletedValue {
  if (argChoices) return { kind: 'words', words: argChoices };
  if (long === '--env' && flags.endsWith('<name>')) return { kind: 'environments' };
  return /<(?:file|path)>$/u.test(flags) ? { kind: 'files' } : { kind: 'anything' };
}
