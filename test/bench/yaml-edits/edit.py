"""Edits texts with ruamel.yaml, tuned to the habits of each: JSON in, JSON out."""
import io
import json
import re
import sys

from ruamel.yaml import YAML


def editor(text):
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    step = 4 if re.search(r"^ {4}\S", text, re.M) and not re.search(r"^ {2}\S", text, re.M) else 2
    if re.search(r":[^\S\n]*\n- ", text):
        yaml.indent(mapping=step, sequence=2, offset=0)
    else:
        yaml.indent(mapping=step, sequence=step + 2, offset=step)
    yaml.explicit_start = False
    return yaml


def at(value, tokens):
    for token in tokens:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def apply(document, operation):
    tokens = operation["path"].split("/")[1:]
    holder, last = at(document, tokens[:-1]), tokens[-1]
    op = operation["op"]
    if op == "remove":
        del holder[int(last) if isinstance(holder, list) else last]
    elif op == "replace":
        holder[int(last) if isinstance(holder, list) else last] = operation["value"]
    else:
        if op == "move":
            origin = operation["from"].split("/")[1:]
            source = at(document, origin[:-1])
            value = source.pop(int(origin[-1]))
        else:
            value = operation["value"]
        if isinstance(holder, list):
            holder.insert(len(holder) if last == "-" else int(last), value)
        else:
            holder[last] = value


def edited(edit):
    text = edit["text"]
    yaml = editor(text)
    documents = list(yaml.load_all(text))
    apply(documents[edit["document"]], edit["operation"])
    out = io.StringIO()
    yaml.line_break = "\r\n" if "\r\n" in text else "\n"
    yaml.dump_all(documents, out)
    return out.getvalue()


def attempt(edit):
    try:
        return edited(edit)
    except Exception:
        return None


json.dump([attempt(edit) for edit in json.load(sys.stdin)], sys.stdout)
