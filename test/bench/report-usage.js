/**
 * Preloaded into a process that is measured: tells its parent at the end what it took. Plain
 * JavaScript: to strip types, Node would load 18 MB into each process and thread.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuMs = (userCPUTime + systemCPUTime) / 1000;
    const usage = { milliseconds: performance.now(), cpuMs, peakMb: maxRSS / 1000 };
    writeSync(3, JSON.stringify(usage));
  });
}
