import { readDownstream } from '../commands/downstream.ts';
import { contractLabel } from '../contract/identity.ts';
import { SyncError, toDiagnostics } from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import { quote } from '../core/text.ts';
import { downstreamPage } from '../report/contract.ts';
import { formatDocument, renderFailure } from '../report/json.ts';
import { renderText } from '../report/text.ts';
import type { Flags, RunCommand } from './flags.ts';
import { nameContracts, ofRead, readNamed } from './history.ts';
import { startSession } from './session.ts';
import { print } from './show.ts';
import { exitCode, reportDiagnostics, type Terminal } from './terminal.ts';

export const runDownstream: RunCommand = async (terminal, flags, operands) => {
  try {
    const view = await readAll(terminal, flags, operands);
    // Secrets are hidden first: escaped, one would no longer look like itself.
    const report = downstreamPage(redactTexts(view, terminal.redactor));
    await print(flags, terminal, {
      text: () => renderText(report, terminal.layouts.write),
      json: () => formatDocument({ formatVersion: '1.0', ...view, diagnostics: [] }),
      page: () => report,
    });
    return exitCode.done;
  } catch (error) {
    const diagnostics = toDiagnostics(error);
    reportDiagnostics(diagnostics, terminal);
    if (flags.format === 'json') terminal.write(renderFailure(diagnostics), 'json');
    return exitCode.failed;
  }
};

async function readAll(terminal: Terminal, flags: Flags, [name = '']: readonly string[]) {
  const { names, paths } = nameContracts([name], terminal);
  const session = await startSession(paths, flags, terminal, ofRead);
  const { pairs, listed } = await readNamed(names, session, terminal);
  const [found] = await readDownstream(
    pairs.map(({ live, desired }) => ({ live, file: desired?.source.file })),
    { product: session.product, pairs: listed, listsAll: true },
    session.reader,
  );
  if (!found)
    throw new SyncError('no-such-contract', `The catalog has no contract ${quote(name)}.`);
  const [{ live, file }, downstream] = found;
  return { contract: contractLabel(live), id: live.id, file, downstream };
}
