/** Type information for rules: the compiler's checker, and its nodes for those of ESLint. */
import * as ts from 'typescript';

/**
 * @param {import('eslint').Rule.RuleContext} context
 * @returns {{
 *   checker: import('typescript').TypeChecker,
 *   tsNode: (node: any) => any,
 *   textOf: (node: any) => string | undefined,
 * }} `textOf`: the text of a literal, or of a constant, wherever it is declared
 */
export function typesOf(context) {
  const services = context.sourceCode.parserServices;
  if (!services.program) {
    throw new Error(
      'The rules of @gatehouse/lint need type information: parserOptions.projectService.',
    );
  }
  const checker = services.program.getTypeChecker();
  const tsNode = (/** @type {any} */ node) => services.esTreeNodeToTSNodeMap.get(node);
  return {
    checker,
    tsNode,
    textOf(node) {
      if (!node) return undefined;
      if (node.type === 'Literal') return String(node.value);
      const type = checker.getTypeAtLocation(tsNode(node));
      return type.isStringLiteral() ? type.value : undefined;
    },
  };
}

/**
 * Whether a type, or a member of its union or intersection, has such a name and is declared in such a file.
 * @param {import('typescript').Type} type
 * @param {RegExp} name
 * @param {RegExp} file
 */
export function isDeclared(type, name, file) {
  return partsOf(type).some((part) =>
    [part.aliasSymbol, part.symbol].some(
      (symbol) =>
        symbol !== undefined &&
        name.test(symbol.name) &&
        symbol.declarations?.some((declaration) => file.test(declaration.getSourceFile().fileName)),
    ),
  );
}

/**
 * @param {import('typescript').Type} type
 * @returns {import('typescript').Type[]}
 */
export function partsOf(type) {
  return type.isUnionOrIntersection() ? type.types.flatMap(partsOf) : [type];
}

/**
 * What the literals of an object say, wherever they are: in constants, conditions, spreads and helpers, also in other files.
 * @param {import('typescript').Node} node
 * @param {import('typescript').TypeChecker} checker
 * @returns {{ name: string, value: import('typescript').Expression }[]}
 */
export function propertiesOf(node, checker) {
  // The type that a constant is annotated with does not know its literal.
  const made = ts.isIdentifier(node) && checker.getSymbolAtLocation(node)?.valueDeclaration;
  const value = made && ts.isVariableDeclaration(made) && made.initializer;
  const type = checker.getTypeAtLocation(value || node);
  return partsOf(type)
    .flatMap((part) => part.getProperties())
    .flatMap(({ name, declarations = [] }) =>
      declarations.flatMap((declaration) => {
        if (ts.isPropertyAssignment(declaration)) return [{ name, value: declaration.initializer }];
        const isShort = ts.isShorthandPropertyAssignment(declaration);
        return isShort ? [{ name, value: declaration.name }] : [];
      }),
    );
}

/**
 * Whether a call calls this function of a package, under whatever name.
 * @param {import('typescript').CallExpression} call
 * @param {import('typescript').TypeChecker} checker
 * @param {RegExp} name
 * @param {RegExp} file
 */
export function calls(call, checker, name, file) {
  const declaration = /** @type {any} */ (checker.getResolvedSignature(call)?.declaration);
  const named = declaration?.name ?? declaration?.parent?.name;
  return Boolean(
    named && name.test(named.getText()) && file.test(declaration.getSourceFile().fileName),
  );
}
