import { auditCatalog, type AuditFailure, type AuditReport } from '../commands/audit.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { toDiagnostics } from '../core/errors.ts';
import { redactTexts } from '../core/redact.ts';
import { auditReport } from '../report/audit.ts';
import type { Printable } from '../report/formats.ts';
import { renderAuditJson, renderFailure } from '../report/json.ts';
import { renderText } from '../report/text.ts';
import { momentFlag } from './history.ts';
import type { RunCommand } from './flags.ts';
import { exitCode, reportDiagnostics, showProgress } from './terminal.ts';
import { startSession } from './session.ts';
import { print } from './show.ts';

export const runAudit: RunCommand = async (terminal, flags, paths) => {
  let audit: AuditReport | AuditFailure;
  try {
    const since = flags.since === undefined ? -Infinity : momentFlag('--since', flags.since);
    const session = startSession(paths, flags, terminal);
    const shown = { activity: 'Reading histories', interrupted: 'Interrupted.' };
    audit = await showProgress(shown, terminal, (advance) =>
      auditCatalog(session, { since, now: Date.now() }, advance),
    );
  } catch (error) {
    audit = { diagnostics: toDiagnostics(error) };
  }
  if ('contracts' in audit) {
    const report = audit;
    const page: Printable['page'] = (view) =>
      auditReport(redactTexts(report, terminal.redactor), view);
    await print(flags, terminal, {
      text: () => renderText(page({ isWhole: false }), terminal.layouts.write),
      json: () => renderAuditJson(report),
      page,
    });
  } else if (flags.format === 'json') terminal.write(renderFailure(audit.diagnostics), 'json');
  if (audit.diagnostics.length > 0) reportDiagnostics(audit.diagnostics, terminal);
  return hasErrors(audit.diagnostics) ? exitCode.failed : exitCode.done;
};
