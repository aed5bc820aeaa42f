/** Type information for rules: the compiler's checker, and its nodes for those of ESLint. */

/**
 * @param {import('eslint').Rule.RuleContext} context
 * @returns {{ checker: import('typescript').TypeChecker, tsNode: (node: any) => any }}
 */
export function typesOf(context) {
  const services = context.sourceCode.parserServices;
  if (!services.program) {
    throw new Error(
      'The rules of @gatehouse/lint need type information: parserOptions.projectService.',
    );
  }
  return {
    checker: services.program.getTypeChecker(),
    tsNode: (node) => services.esTreeNodeToTSNodeMap.get(node),
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
