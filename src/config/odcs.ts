/** `odcs` of the configuration file → how ODCS files are read. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { complainAboutPattern } from '../core/wildcard.ts';
import { quote } from '../core/text.ts';
import {
  defaultOdcsSettings,
  type EntityRule,
  type OdcsRules,
  type OdcsSettings,
} from '../files/formats/odcs/settings.ts';
import {
  parseTemplate,
  placeholderProblem,
  type Template,
  type TemplateProblem,
} from '../files/formats/odcs/template.ts';
import { allowedVariables } from '../files/formats/odcs/variables.ts';
import type { Pointer } from '../patch/pointer.ts';
import { dialectOf } from './dialect.ts';
import { type EntityRuleFile, type LoadedConfig, type OdcsFile, unusable } from './file.ts';

/** What the run brings along. */
export type OdcsWorld = {
  readonly environment: { readonly [name: string]: string | undefined };
  /** A day such as `2027-01-31`. */
  readonly today: string;
};

/** Of the environment only those variables are taken along that the file names. */
export function resolveOdcs(
  { settings, locate }: LoadedConfig,
  { environment, today }: OdcsWorld,
): OdcsRules {
  const problems: Diagnostic[] = [];
  const odcs = resolveSettings(settings.odcs ?? {}, (pointer, { message, hint }) => {
    const source = locate(['odcs', ...pointer]);
    problems.push({ code: 'invalid-setting', severity: 'error', message, hint, source });
  });
  if (problems.length > 0) throw unusable(problems);
  return {
    settings: odcs,
    run: {
      today,
      environment: allowedVariables(odcs.variablesFrom, environment),
      slaUnits: dialectOf(settings) === 'standard' ? 'any' : 'openmetadata',
    },
  };
}

/** Notes a problem of the value at a pointer below `odcs`. */
type Refuse = (pointer: Pointer, problem: TemplateProblem) => void;

function resolveSettings(
  { entity = [], name, movedFrom = [], owners, ...rest }: OdcsFile,
  refuse: Refuse,
): OdcsSettings {
  for (const [index, pattern] of (rest.variablesFrom ?? []).entries()) {
    const complaint = /[A-Za-z\d]/u.test(pattern)
      ? complainAboutPattern(pattern)
      : 'would show any variable of the environment';
    if (complaint === undefined) continue;
    const message = `The pattern ${quote(pattern)} ${complaint}.`;
    const hint = 'List the names that contracts need, such as ORDERS_*.';
    refuse(['variablesFrom', String(index)], { message, hint });
  }
  const template = name === undefined ? undefined : resolveTemplate(name, ['name'], refuse);
  return {
    ...defaultOdcsSettings,
    ...rest,
    entity: resolveEntity(entity, refuse),
    movedFrom: resolveFormer([movedFrom].flat(), refuse),
    ...(template && { name: template }),
    owners: { ...defaultOdcsSettings.owners, ...owners },
  };
}

function resolveFormer(texts: readonly string[], refuse: Refuse): Template[] {
  return texts.flatMap((text, index) => {
    const pointer = texts.length === 1 ? ['movedFrom'] : ['movedFrom', String(index)];
    const template = resolveTemplate(text, pointer, refuse);
    return template ? [template] : [];
  });
}

function resolveEntity(entity: NonNullable<OdcsFile['entity']>, refuse: Refuse): EntityRule[] {
  if (typeof entity !== 'string') {
    return entity.flatMap((rule, index) => resolveRule(rule, ['entity', String(index)], refuse));
  }
  const template = resolveTemplate(entity, ['entity'], refuse);
  return template ? [{ when: {}, is: template }] : [];
}

function resolveRule(
  { when = {}, is, type }: EntityRuleFile,
  pointer: Pointer,
  refuse: Refuse,
): EntityRule[] {
  for (const [placeholder, pattern] of Object.entries(when)) {
    const complaint = complainAboutPattern(pattern);
    const problem =
      placeholderProblem(placeholder) ??
      (complaint === undefined
        ? undefined
        : { message: `The pattern ${quote(pattern)} ${complaint}.`, hint: 'Write several rules.' });
    if (problem) refuse([...pointer, 'when', placeholder], problem);
  }
  const template = is === null ? null : resolveTemplate(is, [...pointer, 'is'], refuse);
  if (template === undefined) return [];
  return [{ when, is: template, ...(type !== undefined && { type }) }];
}

function resolveTemplate(text: string, pointer: Pointer, refuse: Refuse): Template | undefined {
  const parsed = parseTemplate(text);
  if ('template' in parsed) return parsed.template;
  refuse(pointer, parsed.problem);
  return undefined;
}
