/** Recognises the responses that refuse a request or send it elsewhere. */
import * as ts from 'typescript';
import { returnsOf } from './texts.js';

const deepest = 4;

/**
 * Whether a value only refuses or redirects, so that it may be sent before the guard has passed.
 * @param {ts.Expression} node
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
export function isRefusal(node, checker, depth = 0) {
  if (depth > deepest) return false;
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) {
    return isRefusal(node.expression, checker, depth + 1);
  }
  if (ts.isConditionalExpression(node)) {
    return (
      isRefusal(node.whenTrue, checker, depth + 1) && isRefusal(node.whenFalse, checker, depth + 1)
    );
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const type = checker.getTypeAtLocation(node);
  const [sent] =
    type.symbol?.name === 'ApiResponse' ? checker.getTypeArguments(/** @type {any} */ (type)) : [];
  if (sent && sent.flags & ts.TypeFlags.Never) return true;
  if (checker.getTypeAtLocation(node.expression).aliasSymbol?.name === 'RedirectFunction')
    return true;
  if (node.arguments?.some(refuses)) return true;
  const declaration = /** @type {any} */ (checker.getResolvedSignature(node)?.declaration);
  if (declaration?.name?.text === 'externalRedirect') return true;
  if (!declaration?.body) return false;
  const returned = returnsOf(declaration);
  return (
    returned.length > 0 && returned.every((expression) => isRefusal(expression, checker, depth + 1))
  );
}

/**
 * Whether an argument is a status of refusal or redirect: in `refusal(405, …)`, or in `{ status: 405 }`.
 * @param {ts.Node} node
 * @returns {boolean}
 */
function refuses(node) {
  if (ts.isNumericLiteral(node)) return Number(node.text) >= 300 && Number(node.text) < 600;
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (property) =>
        ts.isPropertyAssignment(property) &&
        property.name.getText() === 'status' &&
        refuses(property.initializer),
    )
  );
}
