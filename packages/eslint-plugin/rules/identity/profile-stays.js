/** W20: the platform's profile goes only to the profile functions, which pick the fields that a page may have. */
import { isGuard, isPassedGuard } from '../../analysis/guards.js';
import { memberName } from '../../analysis/targets.js';
import { typesOf } from '../../analysis/types.js';

const profileFunctions = /\/app\/platform\/(profile|platform\.server)\./;
const instead =
  'Take the fields that the page shows from `toSafeProfile(guard.user)` of app/platform/profile.ts.';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      user: `\`guard.user\` is the platform's whole profile, including fields that must not leave the server. ${instead}`,
      guard: `A guard carries the platform's whole profile: pass it only to functions that take a guard. ${instead}`,
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const typeOf = (/** @type {any} */ node) => checker.getTypeAtLocation(tsNode(node));

    /**
     * Whether a value is an argument of a profile function.
     * @param {any} node
     */
    function goesToProfile(node) {
      const { parent } = node;
      if (parent.type !== 'CallExpression' || parent.callee === node) return false;
      const declaration = checker.getResolvedSignature(tsNode(parent))?.declaration;
      return profileFunctions.test(declaration?.getSourceFile().fileName ?? '');
    }

    /**
     * Whether the called function declares this parameter as a guard. A type parameter does not count.
     * @param {any} node
     */
    function isWanted(node) {
      const declaration = checker.getResolvedSignature(tsNode(node.parent))?.declaration;
      const signature =
        declaration && checker.getSignatureFromDeclaration(/** @type {any} */ (declaration));
      const parameter = signature?.parameters[node.parent.arguments.indexOf(node)];
      return parameter !== undefined && isGuard(checker.getTypeOfSymbol(parameter));
    }

    /** @param {any} node */
    function leaves(node) {
      if (!isPassedGuard(typeOf(node))) return;
      const wanted = checker.getContextualType(tsNode(node));
      if (!wanted || !isGuard(wanted)) context.report({ node, messageId: 'guard' });
    }

    return {
      MemberExpression(/** @type {any} */ node) {
        if (memberName(node) !== 'user' || !isPassedGuard(typeOf(node.object))) return;
        if (!goesToProfile(node)) context.report({ node, messageId: 'user' });
      },
      ObjectPattern(/** @type {any} */ node) {
        if (!isPassedGuard(typeOf(node))) return;
        const user = node.properties.find(
          (/** @type {any} */ one) => one.type === 'RestElement' || one.key?.name === 'user',
        );
        if (user) context.report({ node: user, messageId: 'user' });
      },
      'SpreadElement, JSXSpreadAttribute'(/** @type {any} */ node) {
        if (isPassedGuard(typeOf(node.argument))) context.report({ node, messageId: 'guard' });
      },
      'CallExpression > *.arguments'(/** @type {any} */ node) {
        if (isSpread(node) || !isPassedGuard(typeOf(node)) || isWanted(node)) return;
        context.report({ node, messageId: 'guard' });
      },
      'Property > *.value'(/** @type {any} */ node) {
        if (node.parent.parent.type === 'ObjectExpression') leaves(node);
      },
      'ArrayExpression > *, TemplateLiteral > *.expressions'(/** @type {any} */ node) {
        if (!isSpread(node)) leaves(node);
      },
      'ReturnStatement > *.argument, ArrowFunctionExpression > *.body'(/** @type {any} */ node) {
        if (node.type === 'BlockStatement' || !isRouteFunction(node)) return;
        const type = typeOf(node);
        if (isPassedGuard(checker.getAwaitedType(type) ?? type)) {
          context.report({ node, messageId: 'guard' });
        }
      },
    };
  },
};

/** @param {any} node */
function isSpread({ type }) {
  return type === 'SpreadElement';
}

/**
 * Whether the function that returns this is a loader or an action.
 * @param {any} node
 */
function isRouteFunction(node) {
  let owner = node.parent;
  while (owner && !/Function/.test(owner.type)) owner = owner.parent;
  const name = owner?.id?.name ?? owner?.parent?.id?.name;
  return name === 'loader' || name === 'action';
}
