import { version } from '../version.ts';

// Printed first, since the rest takes longer to load.
process.stdout.write(`contract-sync ${version}, Node ${process.versions.node}\n`);
const { runAction } = await import('./run.ts');
const { systemRunner } = await import('./step.ts');
process.exitCode = await runAction(systemRunner());
