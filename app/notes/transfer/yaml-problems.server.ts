/** Why the YAML of a file cannot be read, in words that do not presume to know YAML. */
import { isCollection, isScalar, visit, type Document, type YAMLError } from 'yaml';
import { FileProblem, shortened } from './reading.server';

/** That a block is not YAML, or too much of it. If nothing else shows that it is meant to be, it is text. */
export class YamlProblem extends FileProblem {
  override name = 'YamlProblem';
}

/** @param offset where in the block, which follows a line of dashes. */
export function invalidYaml(yaml: string, offset: number, advice: string): YamlProblem {
  const line = yaml.slice(0, offset).split('\n').length + 1;
  const where = ` has invalid YAML in line ${line}, in the block before its text`;
  return new YamlProblem(`${where}: ${advice}`);
}

/** For a text that YAML takes for something else. */
export function unquoted(yaml: string, offset: number): YamlProblem {
  const character = String.fromCodePoint(yaml.codePointAt(offset) ?? 0);
  return invalidYaml(yaml, offset, `quote a value that begins with “${character}”.`);
}

export function problemOf(error: YAMLError, yaml: string, document: Document): YamlProblem {
  const [offset] = error.pos;
  const { code, message } = error;
  const problem = (advice: string, at = offset) => invalidYaml(yaml, at, advice);
  switch (code) {
    case 'DUPLICATE_KEY': {
      const [key = ''] = /^[^:\n]*/.exec(yaml.slice(offset)) ?? [];
      return problem(`“${shortened(key.trim())}” is there twice. Keep one of them.`);
    }
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return problem('correct it. Quote a value that contains a colon.');
    case 'TAB_AS_INDENT':
      return problem('indent it with spaces instead of tabs.');
    case 'BAD_SCALAR_START':
      return unquoted(yaml, offset);
    case 'BAD_DQ_ESCAPE':
      return problem('write a backslash within double quotes twice, or use single quotes.');
    case 'UNEXPECTED_TOKEN':
      return problem('quote the whole value.');
  }
  const begin = beginOf(document, offset);
  if (message.startsWith('Comments')) return problem('quote a value that contains “#”.');
  if (message.startsWith('Missing closing'))
    return problem(`close the quotation mark ${yaml.charAt(begin)} that opens there.`, begin);
  if (message.startsWith('Flow'))
    return problem(
      `close the “${yaml.charAt(begin)}” that opens there, or quote the value.`,
      begin,
    );
  if (message.startsWith('Implicit map keys'))
    return problem('write “name: value”, or indent the line to continue the one before it.');
  return problem(`correct it. ${message}.`);
}

/** Where the innermost list or quotation begins that reaches to `offset`. */
function beginOf(document: Document, offset: number): number {
  let begin = offset;
  visit(document, {
    Node: (_, node) => {
      const isOpen = isCollection(node)
        ? node.flow
        : isScalar(node) && node.type?.startsWith('QUOTE');
      const [from, , to] = node.range ?? [0, 0, 0];
      if (isOpen && from <= offset && to >= offset) begin = from;
    },
  });
  return begin;
}
