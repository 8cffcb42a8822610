import type { Plugin } from 'rolldown';

/**
 * Leaves out of a bundle what two packages make as they are loaded and nobody uses: how to write YAML,
 * how to compare words. A bundler can't know that to make it has no effects.
 */
export function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    transform: {
      filter: { id: /\/node_modules\/(?:js-yaml|diff)\// },
      handler(code) {
        const made = this.parse(code).body.flatMap((statement) => {
          const declared =
            statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declared?.type !== 'VariableDeclaration') return [];
          return declared.declarations.flatMap(({ init }) => (init ? [init] : []));
        });
        return made
          .filter(({ type }) => mayHaveEffects.has(type))
          .reduceRight(
            (text, { start, end }) =>
              text.slice(0, start) + asPure(text.slice(start, end)) + text.slice(end),
            code,
          );
      },
    },
  };
}

const mayHaveEffects = new Set(['CallExpression', 'NewExpression', 'ObjectExpression']);

function asPure(expression: string): string {
  return `/* @__PURE__ */ (() => (${expression}))()`;
}
