import { basename } from 'node:path/posix';
import { defaultFile } from '../config/root.ts';
import { choosePlanBase } from './base.ts';
import type { Step } from './step.ts';

/** GitHub lists no more files of a pull request: of others nothing is known. */
const mostListed = 3000;

/**
 * The files that the pull request touches, as the step's folder knows them. Where there is no base,
 * drift is told apart by them: without the list, and where the rules themselves are changed, all
 * changes stand together.
 */
export async function touchedFiles(step: Step): Promise<ReadonlySet<string> | undefined> {
  const { github, run, prefix, log, inputs } = step;
  if (!github || !run.pullRequest) return undefined;
  if (choosePlanBase(step).revision !== undefined) return undefined;
  try {
    const files = await github.changedFiles(run.pullRequest.number);
    if (files.length >= mostListed) return undefined;
    const inside = prefix === '' ? '' : `${prefix}/`;
    const own = files.filter((file) => file.startsWith(inside));
    const touched = new Set(own.map((file) => file.slice(inside.length)));
    // The nearest configuration counts: one that was deleted did, too.
    const isPolicy = (file: string): boolean =>
      file === inputs.config || basename(file) === defaultFile;
    return [...touched].some(isPolicy) ? undefined : touched;
  } catch (error) {
    log.text(`Can't list the files of the pull request: ${String(error)}`);
    return undefined;
  }
}
