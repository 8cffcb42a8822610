import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plain } from '../../src/report/text/palette.ts';
import { renderPlanText } from '../../src/report/text/plan.ts';
import { manyContracts, nameOf, openWorld } from './world.ts';

const page = join(import.meta.dirname, '../../docs/openmetadata.md');

const file = `fullyQualifiedName: ${nameOf(0)}
schema:
  - { name: id, dataType: INT }
  - { name: amuont, dataType: INT }
owners:
  - { type: team, name: chekout-team }
`;

test('the page of OpenMetadata shows a real plan', async () => {
  const columns = ['id', 'amount'].map((name) => ({ name, dataType: 'INT' }));
  const world = await openWorld({
    seed: {
      contracts: [{ ...manyContracts(1)[0], owners: [{ type: 'team', name: 'checkout-team' }] }],
      tables: [{ fullyQualifiedName: 'shop.sales.web.t0', columns }],
    },
  });
  const rendered = renderPlanText(await world.plan([file]), { palette: plain, detail: 'changes' });
  const plan = rendered.replace(/127\.0\.0\.1:\d+/u, '127.0.0.1:8585');
  const shown = `<!-- plan -->\n\`\`\`console\n${plan}\`\`\`\n<!-- /plan -->`;
  const text = readFileSync(page, 'utf8');
  const block = /<!-- plan -->[\s\S]*<!-- \/plan -->/u;
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(
      page,
      text.replace(block, () => shown),
    );
  else expect(block.exec(text)?.[0]).toBe(shown);
});
