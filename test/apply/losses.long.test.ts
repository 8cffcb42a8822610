process.env['RUNS_OVER_LOSSES'] = '20';
await import('./losses.test.ts');
