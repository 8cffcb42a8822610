/**
 * Preloaded into a process that is measured: tells its parent at the end what it took. Plain
 * JavaScript: to strip types, Node would load 18 MB into each process and thread.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { maxRSS } = process.resourceUsage();
    writeSync(3, JSON.stringify({ milliseconds: performance.now(), peakMb: maxRSS / 1000 }));
  });
}
