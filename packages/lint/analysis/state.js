/** Recognises objects and closures that keep state between calls, through helpers and classes in other files. */
import * as ts from 'typescript';
import { returnsOf } from './texts.js';

/** The methods that change a container. */
export const writers = new Set(
  'add append clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(
    ' ',
  ),
);
const containers = /^(Array|Map|Set|WeakMap|WeakSet)$/;

/**
 * Whether the value of a module's constant changes between calls: an instance of a class of this project whose
 * methods write to it, or what a function of this project returns and keeps variables for.
 * @param {ts.Node | undefined} node
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
export function keepsState(node, checker) {
  if (!node) return false;
  if (ts.isAwaitExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return keepsState(node.expression, checker);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.some((member) => writesTo(member, isOfThis, checker));
  if (ts.isNewExpression(node)) {
    const declaration = checker.getTypeAtLocation(node).symbol?.valueDeclaration;
    return Boolean(
      declaration &&
      isOwn(declaration) &&
      ts.isClassLike(declaration) &&
      declaration.members.some(
        (member) => !ts.isConstructorDeclaration(member) && writesTo(member, isOfThis, checker),
      ),
    );
  }
  if (!ts.isCallExpression(node)) return false;
  const declaration = /** @type {any} */ (checker.getResolvedSignature(node)?.declaration);
  if (!declaration?.body || !isOwn(declaration)) return false;
  // A generator goes on where it was.
  if (declaration.asteriskToken) return true;
  const kept = variablesOf(declaration, checker);
  const isKept = (/** @type {ts.Node} */ target) => {
    const symbol = checker.getSymbolAtLocation(rootOf(target));
    return symbol !== undefined && kept.has(symbol);
  };
  // Only what is returned outlives the call.
  return returnsOf(declaration).some((value) =>
    functionsIn(value, checker).some((inner) => writesTo(inner, isKept, checker)),
  );
}

/** @param {ts.Node} node */
function isOwn(node) {
  return !/\/node_modules\/|\/lib\.[\w.]*d\.ts$/.test(node.getSourceFile().fileName);
}

/** @param {any} made @param {ts.TypeChecker} checker @returns {Set<ts.Symbol>} */
function variablesOf({ body, parameters }, checker) {
  const statements = ts.isBlock(body) ? body.statements.filter(ts.isVariableStatement) : [];
  const declared = statements.flatMap(({ declarationList }) => [...declarationList.declarations]);
  /** @type {ts.Node[]} */
  const names = [...declared, ...parameters].map(({ name }) => name);
  return new Set(names.flatMap((name) => checker.getSymbolAtLocation(name) ?? []));
}

/**
 * The functions in a returned value: itself, the methods of an object, and named ones.
 * @param {ts.Node | undefined} node
 * @param {ts.TypeChecker} checker
 * @returns {ts.Node[]}
 */
function functionsIn(node, checker, depth = 0) {
  if (!node || depth > 3) return [];
  if (ts.isFunctionLike(node)) return [node];
  if (ts.isVariableDeclaration(node)) return functionsIn(node.initializer, checker, depth + 1);
  if (ts.isAsExpression(node)) return functionsIn(node.expression, checker, depth + 1);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((element) => functionsIn(element, checker, depth + 1));
  if (ts.isIdentifier(node)) {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
    return functionsIn(symbol?.valueDeclaration, checker, depth + 1);
  }
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.flatMap((property) => {
      if (ts.isPropertyAssignment(property))
        return functionsIn(property.initializer, checker, depth + 1);
      return ts.isShorthandPropertyAssignment(property)
        ? functionsIn(property.name, checker, depth + 1)
        : functionsIn(property, checker, depth + 1);
    });
  }
  return [];
}

/**
 * Whether a function of this project writes to the argument at this place.
 * @param {ts.CallExpression} call
 * @param {number} index
 * @param {ts.TypeChecker} checker
 */
export function writesArgument(call, index, checker) {
  const declaration = /** @type {any} */ (checker.getResolvedSignature(call)?.declaration);
  const parameter = declaration?.parameters[index];
  if (!declaration?.body || !parameter || !isOwn(declaration)) return false;
  const own = checker.getSymbolAtLocation(parameter.name);
  // The parameter itself is only a name for it.
  const isTarget = (/** @type {ts.Node} */ target) =>
    checker.getSymbolAtLocation(rootOf(target)) === own &&
    (rootOf(target) !== target || ts.isCallExpression(target.parent.parent));
  return own !== undefined && writesTo(declaration.body, isTarget, checker);
}

/**
 * Whether code assigns to such a target, or calls a method that changes it.
 * @param {ts.Node} node
 * @param {(target: ts.Expression) => boolean} isTarget
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
function writesTo(node, isTarget, checker) {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind) && isTarget(node.left)) {
    return true;
  }
  if (
    (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) &&
    (node.operator === ts.SyntaxKind.PlusPlusToken ||
      node.operator === ts.SyntaxKind.MinusMinusToken) &&
    isTarget(node.operand)
  ) {
    return true;
  }
  if (ts.isDeleteExpression(node) && isTarget(node.expression)) return true;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const type = checker.getApparentType(checker.getTypeAtLocation(expression));
    const isContainer = containers.test(type.symbol?.name ?? '');
    if (isContainer && writers.has(name.text) && isTarget(expression)) return true;
  }
  return ts.forEachChild(node, (child) => writesTo(child, isTarget, checker) || undefined) === true;
}

/** @param {ts.Expression} target */
function isOfThis(target) {
  return target !== rootOf(target) && rootOf(target).kind === ts.SyntaxKind.ThisKeyword;
}

/** @param {ts.Node} node @returns {ts.Node} */
function rootOf(node) {
  const isStep =
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isParenthesizedExpression(node);
  return isStep ? rootOf(node.expression) : node;
}

/** @param {ts.SyntaxKind} kind */
function isAssignment(kind) {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}
