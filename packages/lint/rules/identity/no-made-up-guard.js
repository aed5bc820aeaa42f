/**
 * W13: only `checkPlatformUser` creates a passed guard. Reports casts, type predicates and declarations that claim to
 * be one, and results that may have failed where a passed one is required. The compiler rejects the latter, too, but
 * its message does not explain what to write instead.
 */
import { isFailedGuard, isOpenGuard, isPassedGuard } from '../../analysis/guards.js';
import { typesOf } from '../../analysis/types.js';
import { sentences } from '../../analysis/site-files.js';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      failed: sentences(
        '`{{callee}}` requires a guard that has passed, and this one may have failed. Check it first.',
        'For the platform’s: `const guard = await checkPlatformUser(context); if (!guard.ok) return guardFailureResponse(guard);`, of app/platform.server.ts and `@gatehouse/platform/server`.',
        'For a site account’s: `const { account } = await requireAccount({ request, context });` of app/accounts.server.ts.',
      ),
      cast: sentences(
        'This declares something else to be a passed guard.',
        'Only `checkPlatformUser`, `requirePlatformUser` and `requirePlatformSdk` of app/platform.server.ts create the platform’s, and the SDK refuses any other at run time.',
        'Only `checkAccount` and `requireAccount` of app/accounts.server.ts create a site account’s.',
      ),
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const typeOf = (/** @type {any} */ node) => checker.getTypeAtLocation(tsNode(node));
    const isMadeByGuard = (/** @type {import('typescript').Type} */ type) =>
      isPassedGuard(type) || isOpenGuard(type);
    const isVague = (/** @type {any} */ node) =>
      /^(any|never)$/.test(checker.typeToString(typeOf(node)));

    /** @param {any} node */
    function cast(node) {
      const target = typeOf(node.typeAnnotation);
      const given = typeOf(node.expression);
      if (isMadeByGuard(target)) {
        if (isVague(node.expression) || !checker.isTypeAssignableTo(given, target)) {
          context.report({ node, messageId: 'cast' });
        }
      } else if (isVague(node)) {
        const wanted = checker.getContextualType(tsNode(node));
        if (wanted && isMadeByGuard(wanted)) context.report({ node, messageId: 'cast' });
      }
    }
    return {
      CallExpression(node) {
        for (const argument of node.arguments) {
          if (!isFailedGuard(typeOf(argument))) continue;
          const wanted = checker.getContextualType(tsNode(argument));
          if (!wanted || !isPassedGuard(wanted) || isFailedGuard(wanted)) continue;
          const callee = context.sourceCode.getText(node.callee);
          context.report({ node: argument, messageId: 'failed', data: { callee } });
        }
      },
      TSAsExpression: cast,
      TSTypeAssertion: cast,
      TSTypePredicate(/** @type {any} */ node) {
        const type = node.typeAnnotation && typeOf(node.typeAnnotation.typeAnnotation);
        if (type && isMadeByGuard(type)) context.report({ node, messageId: 'cast' });
      },
      'VariableDeclarator, PropertyDefinition'(/** @type {any} */ node) {
        if (!node.definite && !node.parent.declare) return;
        if (isMadeByGuard(typeOf(node.id ?? node.key))) context.report({ node, messageId: 'cast' });
      },
      'TSDeclareFunction[declare=true] > TSTypeAnnotation.returnType'(/** @type {any} */ node) {
        if (isMadeByGuard(typeOf(node.typeAnnotation))) context.report({ node, messageId: 'cast' });
      },
    };
  },
};
