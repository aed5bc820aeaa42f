/** Rewrites a module of a site on Remix for React Router 8: its imports, and what is called otherwise there. */
import { createRequire } from 'node:module';
import type TypeScript from 'typescript';

/** Loaded for this alone: most sites stay on Remix. */
const load = () => createRequire(import.meta.url)('typescript') as typeof TypeScript;

/** Where a module of Remix's is found in React Router, and a package's part for the framework. */
function moduleFor(specifier: string): string {
  if (/^@remix-run\/(react|node|testing|server-runtime)$/.test(specifier)) return 'react-router';
  if (specifier === '@remix-run/route-config') return '@react-router/dev/routes';
  return specifier
    .replace(/^(@gatehouse\/\w+)\/remix(\/|$)/, '$1/react-router$2')
    .replace(/^virtual:remix\//, 'virtual:react-router/');
}

const names = new Map([
  ['RemixBrowser', 'HydratedRouter'],
  ['RemixServer', 'ServerRouter'],
  ['createRemixStub', 'createRoutesStub'],
  ['remix', 'reactRouter'],
]);

/** What the browser alone needs has a module of its own. */
const inDom = ['HydratedRouter'];

interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Imported {
  name: string;
  /** `as`, if it is called otherwise. */
  local: string | undefined;
  isType: boolean;
}

/** @param file - Its path, whose ending says whether it has markup. */
export function moduleForReactRouter(file: string, text: string): string {
  if (!/remix/i.test(text)) return text;
  const ts = load();
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const edits: Edit[] = [];
  const replace = (node: TypeScript.Node, by: string) => {
    edits.push({ start: node.getStart(source), end: node.end, text: by });
  };

  /** By module: what is imported from there, and where the first import stands. */
  const merged = new Map<string, { first: TypeScript.Node; imported: Imported[] }>();
  const renamed = new Map<string, string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) {
      continue;
    }
    const { moduleSpecifier, importClause: clause } = statement;
    const to = moduleFor(moduleSpecifier.text);
    if (to === moduleSpecifier.text) continue;
    const bindings = clause?.namedBindings;
    if (!clause || clause.name || !bindings || !ts.isNamedImports(bindings)) {
      replace(moduleSpecifier, `'${to}'`);
      continue;
    }
    let isKept = false;
    for (const element of bindings.elements) {
      const given = (element.propertyName ?? element.name).text;
      const name = names.get(given) ?? given;
      const local = element.propertyName ? element.name.text : undefined;
      if (name !== given && local === undefined) renamed.set(given, name);
      const module = inDom.includes(name) ? `${to}/dom` : to;
      const known = merged.get(module);
      const isType = clause.phaseModifier === ts.SyntaxKind.TypeKeyword || element.isTypeOnly;
      if (known) known.imported.push({ name, local, isType });
      else {
        merged.set(module, { first: statement, imported: [{ name, local, isType }] });
        isKept = true;
      }
    }
    // Its names have moved to an earlier import.
    if (!isKept) edits.push({ start: statement.getFullStart(), end: statement.end, text: '' });
  }
  const imports = new Map<TypeScript.Node, string[]>();
  for (const [module, { first, imported }] of merged) {
    imports.set(first, [...(imports.get(first) ?? []), importOf(module, imported)]);
  }
  for (const [first, lines] of imports) replace(first, lines.join('\n'));

  const isName = (node: TypeScript.Identifier) => {
    const { parent } = node;
    return !(
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isJsxAttribute(parent) && parent.name === node) ||
      ts.isImportSpecifier(parent)
    );
  };
  const rename = (scope: TypeScript.Node, from: string, to: string) => {
    const visit = (node: TypeScript.Node): void => {
      if (ts.isIdentifier(node) && node.text === from && isName(node)) {
        replace(node, ts.isShorthandPropertyAssignment(node.parent) ? `${from}: ${to}` : to);
      }
      ts.forEachChild(node, visit);
    };
    visit(scope);
  };
  for (const [from, to] of renamed) rename(source, from, to);

  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteral(specifier)) moveTo(specifier);
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) moveTo(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      moveTo(node.argument.literal);
    }
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const { name, initializer } = node;
      if (ts.isIdentifier(name) && /^useMatches\(\)/.test(initializer.getText(source))) {
        matchesOf(name.text);
      }
      if (name.getText(source) === 'meta' && ts.isArrowFunction(initializer)) metaOf(initializer);
      if (/^use(Fetcher|Navigate|Revalidator|Submit)\b/.test(initializer.getText(source))) {
        promisesOf(name);
      }
    }
    if (ts.isFunctionDeclaration(node) && node.name?.text === 'meta') metaOf(node);
    ts.forEachChild(node, visit);
  };
  const moveTo = (specifier: TypeScript.Node) => {
    if (!ts.isStringLiteral(specifier)) return;
    const to = moduleFor(specifier.text);
    if (to !== specifier.text) replace(specifier, `'${to}'`);
  };
  /** What a page's match and its `meta` get is called `loaderData`. */
  const matchesOf = (match: string) => {
    const find = (node: TypeScript.Node): void => {
      const isOfMatch =
        ts.isPropertyAccessExpression(node) && node.expression.getText(source) === match;
      if (isOfMatch && node.name.text === 'data') replace(node.name, 'loaderData');
      ts.forEachChild(node, find);
    };
    find(source);
  };
  /** What submits, loads or navigates returns a promise, for which nobody waits. */
  const promisesOf = (from: TypeScript.BindingName) => {
    const called = ts.isObjectBindingPattern(from)
      ? from.elements.map(({ name }) => name.getText(source))
      : ts.isIdentifier(from)
        ? ['', '.submit', '.load', '.revalidate'].map((method) => from.text + method)
        : [];
    const find = (node: TypeScript.Node): void => {
      if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
        const callee = node.expression.expression.getText(source);
        const start = node.getStart(source);
        if (called.includes(callee)) edits.push({ start, end: start, text: 'void ' });
      }
      ts.forEachChild(node, find);
    };
    find(source);
  };
  const metaOf = (meta: TypeScript.ArrowFunction | TypeScript.FunctionDeclaration) => {
    const [parameter] = meta.parameters;
    if (!parameter || !ts.isObjectBindingPattern(parameter.name)) return;
    for (const element of parameter.name.elements) {
      const { name, propertyName } = element;
      if (propertyName?.getText(source) === 'data') replace(propertyName, 'loaderData');
      if (!propertyName && name.getText(source) === 'data') rename(meta, 'data', 'loaderData');
    }
  };
  visit(source);
  return edited(text, edits);
}

/** As Prettier writes it. */
function importOf(module: string, imported: readonly Imported[]): string {
  const areTypes = imported.every(({ isType }) => isType);
  const ordered = [...imported].sort((one, other) => Number(one.isType) - Number(other.isType));
  const parts = ordered.map(
    ({ name, local, isType }) =>
      `${isType && !areTypes ? 'type ' : ''}${name}${local === undefined ? '' : ` as ${local}`}`,
  );
  const start = areTypes ? 'import type' : 'import';
  const line = `${start} { ${parts.join(', ')} } from '${module}';`;
  if (line.length <= 100) return line;
  return `${start} {\n${parts.map((part) => `  ${part},\n`).join('')}} from '${module}';`;
}

function edited(text: string, edits: readonly Edit[]): string {
  let [rest, end] = ['', text.length];
  for (const edit of [...edits].sort((one, other) => other.start - one.start)) {
    // The same identifier, found twice.
    if (edit.end > end) continue;
    rest = edit.text + text.slice(edit.end, end) + rest;
    end = edit.start;
  }
  return text.slice(0, end) + rest;
}
