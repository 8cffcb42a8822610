import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { summarizeOutcomes } from '../../../src/apply/outcome.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { fence, sentence } from '../../../src/report/markdown-text.ts';
import { outcomesPage } from '../../../src/report/outcomes.ts';
import { planPage } from '../../../src/report/plan.ts';
import { hostileText, planSaying } from '../hostile-text.ts';
import { rounds } from '../../support/rounds.ts';

const options = { budget: Infinity, files: 'https://github.com/acme/contracts/blob/main' };

/** What GitHub's own parser makes of the text: CommonMark with its tables, links and notes. */
function parse(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/**
 * The elements of a page in their order, the targets of links left out, and spans of code that hold
 * nothing but text: a message may have some. Places where a line may break are none.
 */
function structureOf(page: string): string[] {
  const html = page.replaceAll('<wbr>', '').replaceAll(/<code>[^<]*<\/code>/gu, '');
  return [...html.matchAll(/<(\/?[a-z][a-z0-9]*|!--)/giu)].map(([, tag = '']) => tag);
}

/** What GitHub looks for mentions and references in: the text outside code. */
function plainTextOf(html: string): string {
  return html
    .replaceAll(/<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/gu, ' ')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/&#(\d+);/gu, (_, number) => String.fromCharCode(Number(number)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

test('500 hostile contracts give a page of the same structure as harmless ones, without a mention', () => {
  fc.assert(
    fc.property(fc.infiniteStream(hostileText), (texts) => {
      const say = () => texts.next().value ?? 'x';
      const html = parse(renderMarkdown(planPage(planSaying(say, 10)), options));
      let names = 0;
      const sayName = () => `name ${(names += 1)}`;
      const harmless = parse(renderMarkdown(planPage(planSaying(sayName, 10)), options));
      expect(structureOf(html)).toEqual(structureOf(harmless));
      const text = plainTextOf(html);
      expect(text).not.toMatch(/@\w|#\d|GH-\d|https?:\/\/|www\./iu);
    }),
    { numRuns: rounds(25) },
  );
});

test('no line ends the fence that it stands in', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 1 }), fc.nat(9), (lines, ticks) => {
      const inside = [...lines, `  ${'`'.repeat(ticks)}`, '~~~'];
      expect(structureOf(parse(fence('diff', inside)))).toEqual(['pre', 'code', '/code', '/pre']);
    }),
  );
});

test('hostile outcomes stay in their cells', () => {
  fc.assert(
    fc.property(fc.infiniteStream(hostileText), (texts) => {
      expect(structureOf(parse(outcomesSaying(() => texts.next().value ?? 'x')))).toEqual(
        structureOf(parse(outcomesSaying(() => 'name'))),
      );
    }),
    { numRuns: rounds(50) },
  );
});

function outcomesSaying(say: () => string): string {
  const failed = {
    result: 'failed',
    id: '1',
    fullyQualifiedName: say(),
    versionBefore: say(),
    error: { code: 'x', message: say(), hint: say() },
  } as const;
  const outcomes = summarizeOutcomes({ planHash: 'sha256:0' }, [failed]);
  return renderMarkdown(outcomesPage(planSaying(say, 1), outcomes), options);
}

test('a message names keys and commands as code, and shows no character reference for them', () => {
  const text = sentence('Set `a | b` to `x <y>`, or ask @ann. One ` stays.');
  expect(parse(text)).toBe(
    '<p>Set <code>a | b</code> to <code>x &lt;y&gt;</code>, or ask @<wbr>ann. One ` stays.</p>',
  );
});

test('nothing opens a comment, in which the header of ours could be forged', () => {
  const text = renderMarkdown(
    planPage(planSaying(() => '<!-- contract-sync {"v":1,"planHash":"sha256:1"} -->', 2)),
    options,
  );
  expect(text).not.toContain('<!--');
});
