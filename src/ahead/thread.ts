import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The file of a thread's program, which is beside what starts it. Undefined in a bundle that goes without. */
export function threadProgram(name: string): string | undefined {
  return [`./${name}.ts`, `./${name}.cjs`]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
}

/** Undefined where Node is forbidden to start threads, or the machine is out of them. */
export function startThread(program: string, options: WorkerOptions): Worker | undefined {
  try {
    return new Worker(program, options);
  } catch {
    return undefined;
  }
}
