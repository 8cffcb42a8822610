#!/usr/bin/env node

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `contract-sync needs Node ${oldestNode} or newer, and this is ${process.version}.\n`,
  );
  process.exitCode = 1;
} else if (['--version', '-V'].includes(process.argv.slice(2).join(' '))) {
  // Scripts ask for nothing else, and often: no command line has to be understood for it.
  const { version } = await import('../version.ts');
  process.stdout.write(`${version}\n`);
} else {
  const { runProgram } = await import('./program.ts');
  const { createTerminal, outliveOutput, reportBug } = await import('./terminal.ts');
  const args = process.argv.slice(2);
  const terminal = createTerminal({ colour: !args.includes('--no-color') });
  outliveOutput(terminal);
  // Left to Node, it would pass no redactor.
  process.once('uncaughtException', (error) => {
    reportBug(error, terminal);
    process.exit(1);
  });
  process.exitCode = await runProgram(args, terminal);
}
