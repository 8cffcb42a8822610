import { isObject } from '../core/json.ts';
import { editYaml } from '../files/edit/edit.ts';
import { valuesIn } from '../files/read/document.ts';
import { createFile, readWhole, replaceFile, unwritableFile } from '../files/text.ts';
import { formatPointer, valueAt } from '../patch/pointer.ts';
import type { Session } from '../session.ts';

/** Writes down what kind of catalog it is, so that no later run asks. */

/** False where the configuration can't be edited; a check writes nothing. */
export function writeDialect(session: Session, file: string, isCheck = false): boolean {
  try {
    return noteIn(file, session, isCheck);
  } catch (error) {
    unwritableFile(file, error);
    return false;
  }
}

function noteIn(
  file: string,
  { product: { name }, environment, files: { root } }: Session,
  isCheck: boolean,
): boolean {
  const before = readWhole(file, root);
  if (before === '') return isCheck || createFile(file, root, `catalog: { dialect: ${name} }\n`);
  const [settings = {}] = valuesIn(before);
  const section = [...(environment ? ['environments', environment.name] : []), 'catalog'];
  const catalog = valueAt(settings, section);
  const patch = isObject(catalog)
    ? { path: formatPointer([...section, 'dialect']), value: name }
    : { path: formatPointer(section), value: { dialect: name } };
  const edit = editYaml(before, [{ op: 'add', ...patch }]);
  return edit.kind === 'edited' && replaceFile(file, root, { before, after: edit.text }, isCheck);
}
