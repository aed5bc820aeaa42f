/** Finds the function that an expression stands for. */
import * as ts from 'typescript';
import { returnsOf } from './texts.js';

const deepest = 4;

/**
 * The function that an expression gives: a literal, a named one, or one wrapped in a call.
 * @param {ts.Node | undefined} node
 * @param {ts.TypeChecker} checker
 * @returns {any}
 */
export function functionOf(node, checker, depth = 0) {
  if (!node || depth > deepest) return undefined;
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node)) {
    return node.body ? node : undefined;
  }
  if (ts.isVariableDeclaration(node)) return functionOf(node.initializer, checker, depth + 1);
  if (ts.isMethodDeclaration(node)) return node;
  if (ts.isPropertyAssignment(node)) return functionOf(node.initializer, checker, depth + 1);
  if (ts.isBindingElement(node)) {
    const name = (node.propertyName ?? node.name).getText();
    const property = checker.getTypeAtLocation(node.parent).getProperty(name);
    return functionOf(property?.valueDeclaration, checker, depth + 1);
  }
  if (
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node)
  ) {
    return functionOf(node.expression, checker, depth + 1);
  }
  if (ts.isCallExpression(node)) {
    const inner = node.arguments
      .map((argument) => functionOf(argument, checker, depth + 1))
      .find(Boolean);
    return inner ?? returnedFunction(node, checker, depth);
  }
  const symbol = resolved(checker.getSymbolAtLocation(node), checker);
  return functionOf(symbol?.valueDeclaration, checker, depth + 1);
}

/**
 * The function that runs first, where an expression wraps another one in a call: `withUser(load)`.
 * @param {ts.Node | undefined} node
 * @param {ts.TypeChecker} checker
 * @returns {any}
 */
export function wrapperOf(node, checker) {
  if (!node) return undefined;
  if (ts.isCallExpression(node)) return returnedFunction(node, checker, 0);
  const isWrapped =
    ts.isVariableDeclaration(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  if (!isWrapped) return undefined;
  return wrapperOf(ts.isVariableDeclaration(node) ? node.initializer : node.expression, checker);
}

/** @param {ts.CallExpression} call @param {ts.TypeChecker} checker @param {number} depth */
function returnedFunction(call, checker, depth) {
  const maker = checker.getResolvedSignature(call)?.declaration;
  if (!maker || !('body' in maker) || !maker.body) return undefined;
  return returnsOf(maker)
    .map((returned) => functionOf(returned, checker, depth + 1))
    .find(Boolean);
}

/** @param {ts.Symbol | undefined} symbol @param {ts.TypeChecker} checker */
function resolved(symbol, checker) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
