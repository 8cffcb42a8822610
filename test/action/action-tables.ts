type Documented = { readonly description: string; readonly default?: string };

export type ActionFile = {
  readonly inputs: Readonly<Record<string, Documented>>;
  readonly outputs: Readonly<Record<string, Documented>>;
};

/** The inputs and outputs of `action.yml` as the documentation shows them. */
export function actionTables({ inputs, outputs }: ActionFile): string {
  return [
    '### Inputs',
    '',
    '| input | default | |',
    '| --- | --- | --- |',
    ...Object.entries(inputs).map(([name, input]) => {
      const given = input.default === undefined ? '' : `\`${input.default}\``;
      return `| \`${name}\` | ${given} | ${input.description} |`;
    }),
    '',
    '### Outputs',
    '',
    '| output | |',
    '| --- | --- |',
    ...Object.entries(outputs).map(([name, { description }]) => `| \`${name}\` | ${description} |`),
    '',
  ].join('\n');
}
