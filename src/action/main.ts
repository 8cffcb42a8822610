import { runAction } from './run.ts';
import { systemRunner } from './runner.ts';

process.exitCode = await runAction(systemRunner());
