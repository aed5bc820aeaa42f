/** W13: only `checkPlatformUser` makes a passed guard; no cast, predicate or declaration claims to be one. */
import { isPassedGuard } from '../../analysis/guards.js';
import { typesOf } from '../../analysis/types.js';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      cast: 'This makes a passed guard out of something else, and the SDK refuses it at run time. Only `checkPlatformUser` and `requirePlatformUser` of app/platform/platform.server.ts make one.',
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const typeOf = (/** @type {any} */ node) => checker.getTypeAtLocation(tsNode(node));
    const isVague = (/** @type {any} */ node) =>
      /^(any|never)$/.test(checker.typeToString(typeOf(node)));

    /** @param {any} node */
    function cast(node) {
      const target = typeOf(node.typeAnnotation);
      const given = typeOf(node.expression);
      if (isPassedGuard(target)) {
        if (isVague(node.expression) || !checker.isTypeAssignableTo(given, target)) {
          context.report({ node, messageId: 'cast' });
        }
      } else if (isVague(node)) {
        const wanted = checker.getContextualType(tsNode(node));
        if (wanted && isPassedGuard(wanted)) context.report({ node, messageId: 'cast' });
      }
    }
    return {
      TSAsExpression: cast,
      TSTypeAssertion: cast,
      TSTypePredicate(/** @type {any} */ node) {
        const type = node.typeAnnotation && typeOf(node.typeAnnotation.typeAnnotation);
        if (type && isPassedGuard(type)) context.report({ node, messageId: 'cast' });
      },
      VariableDeclarator(/** @type {any} */ node) {
        if (!node.definite && !node.parent.declare) return;
        if (isPassedGuard(typeOf(node.id))) context.report({ node, messageId: 'cast' });
      },
    };
  },
};
