import type { Plugin } from 'rolldown';

/**
 * Has the parts of a CommonJS bundle export values. The bundler has each export looked up by a call,
 * as if it could change; before V8 has optimized it, that takes its time.
 */
export function plainExports(): Plugin {
  return {
    name: 'plain-exports',
    renderChunk: (code) => ({
      code: code.replace(lookedUp, (whole, name: string, local: string) =>
        isSettled(local, code) ? `exports[${name}] = ${local};` : whole,
      ),
    }),
  };
}

const lookedUp =
  /Object\.defineProperty\(exports, ("[\w$]+"), \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);/gu;

/** Whether it has its value where it is declared: what is set later stands there without one. */
function isSettled(local: string, code: string): boolean {
  const name = local.replaceAll('$', String.raw`\$`);
  const declared = new RegExp(
    `^(?:(?:async )?function\\*? ${name}\\(|(?:const|var) ${name} = )`,
    'mu',
  );
  return declared.test(code);
}
