import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A link's target, in place of a file's text. */
export type Link = { readonly link: string };

/** A temporary folder with these files and links, gone after the test. */
export function makeFolder(entries: Readonly<Record<string, string | Link>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contract-sync-')));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(entries)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string') writeFileSync(path, content);
    else symlinkSync(content.link, path);
  }
  return root;
}
