/** What the expressions of a loader or an action are, as their types say. */
import * as ts from 'typescript';
import { isFailedGuard, isGuard, isRequest } from './guards.js';
import { partsOf } from './types.js';

export class Nodes {
  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /** @param {ts.Node} node */
  isParameter(node) {
    const declaration = this.checker.getSymbolAtLocation(node)?.valueDeclaration;
    return declaration !== undefined && ts.isParameter(declaration);
  }

  /** @param {ts.Node} node */
  awaitedType(node) {
    const type = this.checker.getTypeAtLocation(node);
    return this.checker.getAwaitedType(type) ?? type;
  }

  /**
   * The function that a call runs, and whether it belongs to this project.
   * @param {ts.CallExpression | ts.NewExpression} node
   */
  calledBy(node) {
    const declaration = /** @type {any} */ (this.checker.getResolvedSignature(node)?.declaration);
    const file = declaration?.getSourceFile().fileName ?? '';
    return { declaration, file, isOwn: declaration?.body && !file.includes('/node_modules/') };
  }

  /** @param {ts.CallExpression} node */
  returnsNothing(node) {
    const signature = this.checker.getResolvedSignature(node);
    return (
      signature !== undefined &&
      this.checker.getTypePredicateOfSignature(signature) === undefined &&
      (signature.getReturnType().flags & ts.TypeFlags.Void) !== 0
    );
  }

  /**
   * Whether an expression is the request, or is reached from it: `request.formData().catch`.
   * @param {ts.Node} node
   * @returns {boolean}
   */
  isOfRequest(node) {
    if (this.isRequest(node)) return true;
    if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
      return this.isOfRequest(node.expression);
    }
    return false;
  }

  /** @param {ts.Node} node */
  isPromise(node) {
    return partsOf(this.checker.getTypeAtLocation(node)).some((part) => part.getProperty('then'));
  }

  /** @param {ts.Node} node */
  isRequest(node) {
    return isRequest(this.checker.getTypeAtLocation(node));
  }

  /**
   * Whether a value is the request, or an object that contains it, such as a loader's arguments.
   * @param {ts.Node} node
   */
  carriesRequest(node) {
    const type = this.checker.getTypeAtLocation(node);
    const request = type.getProperty('request');
    return isRequest(type) || (request && isRequest(this.checker.getTypeOfSymbol(request)));
  }
}

/**
 * Whether a guard's result may be a failed one: `requirePlatformUser` throws instead, but may be caught.
 * @param {ts.Type} type
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
export function mayHaveFailed(type, checker) {
  if (checker.isTupleType(type) || checker.isArrayType(type)) {
    return checker
      .getTypeArguments(/** @type {ts.TypeReference} */ (type))
      .some((part) => isGuard(part) && mayHaveFailed(part, checker));
  }
  if (!isGuard(type)) return false;
  return partsOf(type).some((part) => isFailedGuard(part) || !isGuard(part));
}

/** @param {ts.SyntaxKind} kind */
export function isLogical(kind) {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}

/**
 * Which branch of a condition knows an error to be one of the SDK's: true for the first, false for the other.
 * @param {ts.Node} node
 * @returns {boolean | undefined}
 */
export function isSdkError(node) {
  if (ts.isParenthesizedExpression(node)) return isSdkError(node.expression);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    const inner = isSdkError(node.operand);
    return inner === undefined ? inner : !inner;
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return isSdkError(node.left) || isSdkError(node.right) || undefined;
  const isInstance = node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return isInstance && node.right.getText() === 'PlatformSdkError' ? true : undefined;
}
