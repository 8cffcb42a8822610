import { spawnSync } from 'node:child_process';
import { type Document, isCollection, isSeq, parseAllDocuments, type ToStringOptions } from 'yaml';
import { editYaml } from '../../../src/files/edit/edit.ts';
import { parsePointer, type Pointer } from '../../../src/patch/pointer.ts';
import type { Edit } from './edits.ts';

/** The edited texts, undefined where one is refused; nothing where the editor isn't installed. */
type Editor = (edits: readonly Edit[]) => readonly (string | undefined)[] | undefined;

export const editors: Readonly<Record<string, Editor>> = {
  'contract-sync': (edits) =>
    edits.map(({ text, document, operation }) => {
      const edited = editYaml(text, [operation], document);
      return edited.kind === 'edited' ? edited.text : undefined;
    }),
  'yaml (its own editing)': (edits) => edits.map(editTree),
  'ruamel.yaml, tuned': (edits) => answers('python3', ['edit.py'], edits),
  // Where its module is in the cache: a benchmark downloads nothing.
  'goccy/go-yaml': (edits) => answers('go', ['run', '-C', 'goccy', '.'], edits),
  'yq (mikefarah)': (edits) => {
    const version = spawnSync('yq', ['--version'], { encoding: 'utf8' });
    if (version.status !== 0 || !version.stdout.includes('mikefarah')) return undefined;
    return edits.map(({ text, document, operation }) => {
      const breaks = breaksOf(text);
      const place = `select(document_index == ${document})`;
      const run = spawnSync('yq', [`(${place}) |= (${yqOf(operation)})`], {
        input: text,
        encoding: 'utf8',
      });
      return run.status === 0 ? run.stdout.replaceAll(/\r?\n/gu, breaks) : undefined;
    });
  },
};

function answers(program: string, args: readonly string[], edits: readonly Edit[]) {
  const { status, stdout } = spawnSync(program, args, {
    input: JSON.stringify(edits),
    encoding: 'utf8',
    cwd: import.meta.dirname,
    env: { ...process.env, GOPROXY: 'off' },
  });
  if (status !== 0) return undefined;
  const texts: readonly (string | null)[] = JSON.parse(stdout);
  return texts.map((each, at) => each?.replaceAll(/\r?\n/gu, breaksOf(edits[at]?.text ?? '')));
}

function editTree({ text, document, operation }: Edit): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: true });
  const own = documents[document];
  if (!own) return undefined;
  const path = pathOf(operation.path);
  if (operation.op === 'remove') own.deleteIn(path);
  else if (operation.op === 'move') {
    const from = pathOf(operation.from);
    const node = own.getIn(from, true);
    own.deleteIn(from);
    insert(own, path, node);
  } else if (operation.op === 'add') insert(own, path, own.createNode(operation.value));
  else own.setIn(path, operation.value);
  const options: ToStringOptions = {
    lineWidth: 0,
    indent: /^ {4}\S/mu.test(text) && !/^ {2}\S/mu.test(text) ? 4 : 2,
    indentSeq: !/:[^\S\n]*\n- /u.test(text),
    singleQuote: /: '/u.test(text) && !/: "/u.test(text),
    flowCollectionPadding: !/\{\S/u.test(text),
  };
  const printed = documents.map((each) => each.toString(options)).join('');
  return printed.replaceAll(/\r?\n/gu, breaksOf(text));
}

function breaksOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function insert(document: Document, path: readonly (string | number)[], node: unknown): void {
  const holder = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
  const last = path.at(-1);
  if (!isSeq(holder)) document.setIn(path, node);
  else holder.items.splice(last === '-' ? holder.items.length : Number(last), 0, node);
  if (!isCollection(holder)) throw new Error('No collection.');
}

function pathOf(pointer: string): readonly (string | number)[] {
  return (parsePointer(pointer) ?? []).map((token) =>
    /^\d+$/u.test(token) ? Number(token) : token,
  );
}

function yqOf(operation: Edit['operation']): string {
  const pointer = parsePointer(operation.path) ?? [];
  if (operation.op === 'remove') return `del(${yqPath(pointer)})`;
  if (operation.op === 'replace') return `${yqPath(pointer)} = ${JSON.stringify(operation.value)}`;
  const holder = yqPath(pointer.slice(0, -1));
  const last = pointer.at(-1) ?? '';
  if (operation.op === 'move') {
    const from = yqPath(parsePointer(operation.from) ?? []);
    return `${from} as $item | del(${from}) | ${holder} |= .[:${last}] + [$item] + .[${last}:]`;
  }
  const value = JSON.stringify(operation.value);
  if (last === '-') return `${holder} += [${value}]`;
  return last === '0' ? `${holder} |= [${value}] + .` : `${yqPath(pointer)} = ${value}`;
}

function yqPath(pointer: Pointer): string {
  const steps = pointer.map((token) =>
    /^\d+$/u.test(token) ? `[${token}]` : `[${JSON.stringify(token)}]`,
  );
  return `.${steps.join('')}`;
}
