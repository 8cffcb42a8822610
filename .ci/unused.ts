import type { Plugin } from 'rolldown';
import { parseSync } from 'rolldown/utils';

/**
 * Leaves out what nobody uses of packages that are written as if each of their values had an effect
 * by being made: a bundle has to keep those, and all that they are made of.
 */
export function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    transform: {
      filter: { id: /node_modules\/(?:diff|js-yaml)\// },
      handler: (code, id) => ({
        code: markValues(code, id),
        map: null,
        moduleSideEffects: false,
      }),
    },
  };
}

/** The value of each constant becomes the result of a function, whose call may be left out. */
function markValues(code: string, id: string): string {
  const values = parseSync(id, code).program.body.flatMap((statement) =>
    statement.type === 'VariableDeclaration'
      ? statement.declarations.flatMap(({ init }) => (init && made.has(init.type) ? [init] : []))
      : [],
  );
  return values.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    code,
  );
}

const made: ReadonlySet<string> = new Set([
  'ArrayExpression',
  'CallExpression',
  'NewExpression',
  'ObjectExpression',
  'TemplateLiteral',
]);
