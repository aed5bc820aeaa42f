/** Renders the public interface, every signature with its comment, from the sources: `docs/reference.md`. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../..', import.meta.url));

/** What an author's folder imports, and its tests. */
const entries = [
  ['@gatehouse/mcp', 'src/index.ts'],
  ['@gatehouse/mcp/testing/service-double', 'src/testing/service-double.ts'],
  ['@gatehouse/mcp/testing/upstream-double', 'src/testing/upstream-double.ts'],
  ['@gatehouse/mcp/testing/tool-context-double', 'src/testing/tool-context-double.ts'],
  ['@gatehouse/mcp/testing/wire-record', 'src/testing/wire-record.ts'],
] as const;

/** What the server makes of a definition, which no author writes. */
const internal = new Set(['ToolDefinition', 'StrictObject', 'DeepReadonly']);

type Named = ts.Declaration & { readonly name?: ts.Node };

export async function renderReference(): Promise<string> {
  const roots = entries.map(([, file]) => path.join(folder, file));
  const config = ts.readConfigFile(path.join(folder, 'tsconfig.author.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, folder);
  const program = ts.createProgram(roots, options);
  const checker = program.getTypeChecker();
  /** Rendered already, or about to be: an export has its own place. */
  const known = new Set<ts.Declaration>();
  const exportsOf = (file: string) => {
    const source = program.getSourceFile(path.join(folder, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (!source || !module) throw new Error(`${file} is no module.`);
    const found = checker.getExportsOfModule(module).flatMap((symbol) => {
      const declared =
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return declared.declarations?.slice(0, 1) ?? [];
    });
    return [...new Set(found)];
  };
  const pages = entries.map(([entry, file]) => [entry, exportsOf(file)] as const);
  for (const declaration of pages.flatMap(([, all]) => all)) known.add(declaration);

  /** The package's types that a declaration names, which are shown after it. */
  function namedIn(node: ts.Node): ts.Declaration[] {
    const found: ts.Declaration[] = [];
    const visit = (child: ts.Node): void => {
      if (ts.isBlock(child)) return;
      const name = ts.isTypeReferenceNode(child)
        ? child.typeName
        : ts.isExpressionWithTypeArguments(child)
          ? child.expression
          : undefined;
      const symbol = name && checker.getSymbolAtLocation(name);
      const declared =
        symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      for (const declaration of declared?.declarations ?? []) {
        const isOurs = declaration.getSourceFile().fileName.startsWith(path.join(folder, 'src/'));
        const isType =
          ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
        if (isOurs && isType && !known.has(declaration) && !internal.has(declaration.name.text)) {
          known.add(declaration);
          found.push(declaration);
        }
      }
      ts.forEachChild(child, visit);
    };
    visit(node);
    return found;
  }

  /** The declaration, then the types that it names. */
  const whole = (declaration: ts.Declaration): string[] => [
    rendered(declaration, checker),
    ...namedIn(declaration).flatMap(whole),
  ];
  const byName = (a: Named, b: Named) => textOf(a).localeCompare(textOf(b), 'en');
  const sections = pages.map(([entry, declarations]) => {
    const code = [...declarations].sort(byName).flatMap(whole).join('\n\n');
    return `## \`${entry}\`\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
  });
  const text = `# Reference\n\nEvery name that an author's folder can import. Written by \`npm run reference\` from the comments of the sources.\n\n${sections.join('\n')}`;
  return format(text, { parser: 'markdown', printWidth: 100, singleQuote: true });
}

const textOf = ({ name }: Named) => name?.getText() ?? '';

/** Its comment and its signature, without a body. */
function rendered(declaration: ts.Declaration, checker: ts.TypeChecker): string {
  if (ts.isVariableDeclaration(declaration)) {
    const type = checker.typeToString(checker.getTypeAtLocation(declaration));
    const statement = declaration.parent.parent;
    return `${commentOf(statement)}const ${declaration.name.getText()}: ${type};`;
  }
  if (ts.isFunctionDeclaration(declaration)) {
    const overloads = declaration.parent
      .getChildren()
      .flatMap((list) => list.getChildren())
      .filter(ts.isFunctionDeclaration)
      .filter(
        ({ name, body }) =>
          name?.text === declaration.name?.text && (!body || !hasOverloads(declaration)),
      );
    return overloads
      .map((overload) => commentOf(overload) + signatureOf(overload, checker))
      .join('\n');
  }
  if (ts.isClassDeclaration(declaration)) {
    const members = declaration.members
      .filter((member) => !isHidden(member))
      .map((member) => commentOf(member) + signatureOf(member, checker));
    const heritage =
      declaration.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
    return `${commentOf(declaration)}class ${declaration.name?.text ?? ''}${heritage} {\n${members.join('\n')}\n}`;
  }
  return commentOf(declaration) + typeText(declaration);
}

const hasOverloads = ({ parent, name }: ts.FunctionDeclaration) =>
  ts.isSourceFile(parent) &&
  parent.statements.filter(
    (node) => ts.isFunctionDeclaration(node) && node.name?.text === name?.text,
  ).length > 1;

function isHidden(member: ts.ClassElement): boolean {
  const flags = ts.getCombinedModifierFlags(member);
  return (
    (flags & ts.ModifierFlags.Private) !== 0 ||
    (member.name !== undefined && ts.isPrivateIdentifier(member.name))
  );
}

/** The first paragraph, on one line. */
function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  return comment ? `${oneLine(comment.getText())}\n` : '';
}

function oneLine(comment: string): string {
  const [text = ''] = comment
    .replaceAll(/^\/\*\*|\s*\*\/$|^ *\*(?!\/) ?/gm, '')
    .trim()
    .split(/\n *\n|^@/m);
  return text.trim() === '' ? '' : `/** ${text.trim().replaceAll(/\s+/g, ' ')} */`;
}

/** The source of a type, with its members' comments shortened. */
const typeText = (node: ts.Node) =>
  node
    .getText()
    .replace(/^export /, '')
    .replaceAll(/\/\*\*.*?\*\//gs, oneLine);

function signatureOf(
  node: ts.FunctionDeclaration | ts.ClassElement,
  checker: ts.TypeChecker,
): string {
  const { body, type } = node as Partial<ts.FunctionDeclaration>;
  const end = body?.getStart() ?? node.getEnd();
  const text = node
    .getSourceFile()
    .text.slice(node.getStart(), end)
    .trim()
    .replace(/^export (async )?/, '');
  const signature =
    body && !type && ts.isFunctionDeclaration(node) && checker.getSignatureFromDeclaration(node);
  const result = signature ? `: ${checker.typeToString(signature.getReturnType())}` : '';
  return `${text}${result}`
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([(<[]) |,? (?=[)>\]])/g, '$1')
    .replace(/;?$/, ';');
}
