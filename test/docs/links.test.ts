import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/root.ts';

const pages = globSync(['*.md', '{docs,src,test,examples,.github}/**/*.md'], { cwd: root });

test.for(pages)('each link of %s leads somewhere', (page) => {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'));
  const links = [...text.matchAll(/\]\((?<to>[^)\s]+)\)|(?:src|srcset)="(?<image>[^"]+)"/gu)]
    .map(({ groups }) => groups?.['to'] ?? groups?.['image'] ?? '')
    .filter((to) => !/^(?:https?|mailto):/u.test(to));
  expect(links.filter((to) => !leadsSomewhere(to, page))).toEqual([]);
});

test('each row of the comparison is from a source of a known version', () => {
  const page = readFileSync(join(root, 'docs', 'compared.md'), 'utf8');
  const [, comparison = ''] = /^As their own pages [^]*?\n\n([^]*?)\n\n/mu.exec(page) ?? [];
  const [, , ...rows] = comparison.split('\n');
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const sources = [...row.matchAll(/\]\((https:[^)]+)\)/gu)].map(([, link = '']) => link);
    // A commit, a release of a package, or the pages of a release.
    expect(
      sources.filter((link) => /\/[\da-f]{40}\/|\/\d+\.\d+\.\d+\/|\/v\d+\.\d+\.x\//u.test(link)),
    ).not.toEqual([]);
    const onGitHub = sources.filter((link) => link.startsWith('https://github.com/'));
    expect(onGitHub.filter((link) => !/\/blob\/[\da-f]{40}\//u.test(link))).toEqual([]);
  }
});

function leadsSomewhere(link: string, page: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  return statSync(file).isFile() && anchorsOf(readFileSync(file, 'utf8')).has(anchor);
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (?<heading>.+)$/gmu)];
  return new Set(
    headings.map(({ groups }) =>
      (groups?.['heading'] ?? '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(?<fence>```+)[^]*?^\k<fence>$/gmu, '');
}
