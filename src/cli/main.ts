#!/usr/bin/env node
import process from 'node:process';

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `contract-sync needs Node ${oldestNode} or newer, and this is ${process.version}.\n`,
  );
  process.exitCode = 1;
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
