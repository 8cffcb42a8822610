import { expect, test } from 'vitest';
import { renderManual } from '../../.ci/build-man.ts';
import { runInProcess } from '../run-program.ts';
import { makeFolder } from '../workspace.ts';

const manual = renderManual();

test('the manual page has every command of the help', async () => {
  const { stdout } = await runInProcess(['--help'], { folder: makeFolder() });
  const [, commands = ''] = stdout.split('Commands:\n');
  const names = [...commands.matchAll(/^ {2}(?<name>[a-z]+)/gmu)].map((match) => match[1]);
  expect(names).toContain('plan');
  for (const name of names) {
    if (name !== 'help') expect(manual).toContain(`.SS contract\\-sync ${name}`);
  }
});

test('the manual page says of a flag what the help says', async () => {
  const { stdout } = await runInProcess(['plan', '--help'], { folder: makeFolder() });
  const [, flag, says] = /^ {2}(?<flag>--only <pattern>) +(?<says>.+)$/mu.exec(stdout) ?? [];
  expect(manual).toContain(`.B ${flag?.replaceAll('-', '\\-')}\n${says?.replaceAll('-', '\\-')}`);
});

test('no text of the manual page begins a request of roff', () => {
  const requests = manual.split('\n').filter((line) => /^[.']/u.test(line));
  expect(requests.filter((line) => !/^\.(?:TH|SH|SS|TP|B|I)(?: |$)/u.test(line))).toEqual([]);
});
