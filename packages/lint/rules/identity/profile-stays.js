/** W20: the platform's profile goes only to the profile functions, which pick the fields that a page may have. */
import { isFailedGuard, isGuard, isPassedGuard } from '../../analysis/guards.js';
import { memberName } from '../../analysis/targets.js';
import { isDeclared, partsOf, typesOf } from '../../analysis/types.js';
import { functionNamed, staysHarmless, staysWithin, wholeIn } from '../../analysis/whole-values.js';

/** Functions that write a log line, by their usual names. */
const logs =
  /(^|\.)(console|log|logger|pino(\(\))?|stdout|stderr)(\?)?\.(log|trace|debug|info|warn|error|fatal|dir|table|write|child)$/i;

/** The package that reads profiles, whether it is its source or, installed, its declarations. */
const platformPackage = /\/(packages|@gatehouse)\/platform\//;
const profileFunctions = new Set([
  'guardFailureResponse',
  'refusalOf',
  'toSafeProfile',
  'toSafeProfileInBrowser',
  'userStateOf',
]);

const instead =
  'Take the fields that the page shows from `toSafeProfile(guard.user)` of `@gatehouse/platform`.';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      user: `\`guard.user\` is the platform's whole profile, including fields that must not leave the server. ${instead}`,
      body: '`guard.body` is the text of the platform, which a page must not show. In a page, send `refusalOf(guard).code` of `@gatehouse/platform/server` and a message of the site’s own; in a resource route, return `guardFailureResponse(guard)`.',
      logged:
        'This logs a whole profile, with the visitor’s name and e-mail address. Log `profile.key` or the id of what the line is about, and nothing else of the visitor.',
      guard: `A guard carries the platform's whole profile: pass it only to functions that take a guard. ${instead}`,
    },
  },
  create(context) {
    const { checker, tsNode, textOf } = typesOf(context);
    const { sourceCode } = context;
    const isPage = sourceCode.ast.body.some(({ type }) => type === 'ExportDefaultDeclaration');
    const typeOf = (/** @type {any} */ node) => checker.getTypeAtLocation(tsNode(node));
    /** A guard that is known to have failed, and carries the platform's text. @param {any} node */
    const isFailed = (node) => {
      const type = typeOf(node);
      return isFailedGuard(type) && !isPassedGuard(type) && type.getProperty('body') !== undefined;
    };

    /**
     * Whether a value is an argument of a profile function.
     * @param {any} node
     */
    function goesToProfile(node) {
      const { parent } = node;
      if (parent.type !== 'CallExpression' || parent.callee === node) return false;
      const declaration = checker.getResolvedSignature(tsNode(parent))?.declaration;
      const name = declaration && 'name' in declaration ? declaration.name?.getText() : undefined;
      return (
        name !== undefined &&
        profileFunctions.has(name) &&
        platformPackage.test(declaration?.getSourceFile().fileName ?? '')
      );
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

    /** The response with which a resource route refuses an operation (W10). @param {any} node */
    function goesToRefusal(node) {
      const { parent } = node;
      if (isPage || !parent.arguments?.includes(node)) return false;
      const { callee } = parent;
      if (memberName(callee) === 'stringify') return goesToRefusal(parent);
      return callee.name === 'Response' || /^(json|data)$/.test(callee.name ?? memberName(callee));
    }

    /** A profile, what contains one, or a part that names the visitor. @param {any} node */
    function isProfile(node) {
      const isSafeProfile = (/** @type {import('typescript').Type} */ candidate) =>
        isDeclared(candidate, /^SafeProfile$/, platformPackage);
      if (
        /^(displayName|email)$/.test(memberName(node) ?? '') &&
        isSafeProfile(typeOf(node.object))
      )
        return true;
      return partsOf(typeOf(node)).some((part) => {
        const own = part.getProperty('profile');
        return isSafeProfile(part) || (own && isSafeProfile(checker.getTypeOfSymbol(own)));
      });
    }

    /** @param {any} call */
    function isLog({ callee }) {
      const signature = checker.getResolvedSignature(tsNode(callee.parent));
      const owner = /** @type {any} */ (signature?.declaration)?.parent?.name?.text;
      return logs.test(sourceCode.getText(callee)) || owner === 'Console' || owner === 'LogFn';
    }

    /** Whether a function of this file logs what it gets. @param {any} call @param {number} index */
    function isLoggedBy(call, index) {
      const parameter = functionNamed(sourceCode, call.callee)?.params[index];
      if (parameter?.type !== 'Identifier') return false;
      const [variable] = sourceCode
        .getDeclaredVariables(parameter.parent)
        .filter(({ name }) => name === parameter.name);
      return (variable?.references ?? []).some(({ identifier }) => {
        let around = /** @type {any} */ (identifier).parent;
        if (around.type === 'MemberExpression') return false;
        while (around && !/Statement|Function/.test(around.type)) {
          if (around.type === 'CallExpression' && isLog(around)) return true;
          around = around.parent;
        }
        // An arrow function without a block.
        return around?.body?.type === 'CallExpression' && isLog(around.body);
      });
    }

    /**
     * Whether this is part of an argument whose type follows from what is given: `log.info({ guard })`.
     * @param {any} node
     * @returns {boolean}
     */
    function isGeneric(node) {
      const { parent } = node;
      if (/^(Property|ObjectExpression|ArrayExpression|ArrowFunctionExpression)$/.test(parent.type))
        return isGeneric(parent);
      if (parent.type !== 'CallExpression' || parent.callee.object?.name === 'Promise')
        return false;
      const declaration = checker.getResolvedSignature(tsNode(parent))?.declaration;
      return declaration?.typeParameters !== undefined;
    }

    /** @param {any} node */
    function leaves(node) {
      if (isFailed(node)) context.report({ node, messageId: 'body' });
      if (!isPassedGuard(awaited(node))) return;
      const wanted = checker.getContextualType(tsNode(node));
      if (!wanted || !isGuard(wanted) || isGeneric(node))
        context.report({ node, messageId: 'guard' });
    }

    /** What a promise resolves to, and the type of anything else. @param {any} node */
    function awaited(node) {
      const type = typeOf(node);
      return checker.getAwaitedType(type) ?? type;
    }

    return {
      MemberExpression(/** @type {any} */ node) {
        const name = node.computed ? textOf(node.property) : memberName(node);
        if (name === 'user' && isPassedGuard(typeOf(node.object))) {
          if (!staysHarmless(sourceCode, node, goesToProfile))
            context.report({ node, messageId: 'user' });
        }
        if (name === 'body' && isFailed(node.object)) {
          if (!staysHarmless(sourceCode, node, goesToRefusal))
            context.report({ node, messageId: 'body' });
        }
      },
      ObjectPattern(/** @type {any} */ node) {
        const take = (
          /** @type {string} */ name,
          /** @type {(node: any) => boolean} */ isHarmless,
        ) =>
          node.properties.find(
            (/** @type {any} */ property) =>
              property.type === 'RestElement' ||
              ((property.computed ? textOf(property.key) : property.key?.name) === name &&
                !staysWithin(sourceCode, property.value, isHarmless)),
          );
        const user = isPassedGuard(typeOf(node)) && take('user', goesToProfile);
        if (user) context.report({ node: user, messageId: 'user' });
        const body = isFailed(node) && take('body', goesToRefusal);
        if (body) context.report({ node: body, messageId: 'body' });
      },
      CallExpression(/** @type {any} */ node) {
        for (const [index, argument] of node.arguments.entries()) {
          const part = wholeIn(sourceCode, argument, isProfile);
          if (part && (isLog(node) || isLoggedBy(node, index))) {
            context.report({ node: argument, messageId: 'logged' });
          }
        }
      },
      'SpreadElement, JSXSpreadAttribute'(/** @type {any} */ node) {
        if (isFailed(node.argument)) context.report({ node, messageId: 'body' });
        if (isPassedGuard(typeOf(node.argument))) context.report({ node, messageId: 'guard' });
      },
      'CallExpression > *.arguments'(/** @type {any} */ node) {
        if (isSpread(node) || isWanted(node)) return;
        if (isFailed(node)) context.report({ node, messageId: 'body' });
        if (isPassedGuard(typeOf(node))) context.report({ node, messageId: 'guard' });
      },
      'Property > *.value'(/** @type {any} */ node) {
        if (node.parent.parent.type === 'ObjectExpression') leaves(node);
      },
      // `answer['guard'] = guard`, and `.then((guard) => ({ guard }))`
      'AssignmentExpression > *.right'(/** @type {any} */ node) {
        if (node.parent.left.type === 'MemberExpression') leaves(node);
      },
      // `requirePlatformUser(args).then(json)`
      'CallExpression[callee.property.name="then"] > Identifier.arguments'(
        /** @type {any} */ node,
      ) {
        const wanted = typeOf(node).getCallSignatures()[0]?.declaration?.parameters[0];
        const given = awaited(node.parent.callee.object);
        const isOfGuard = wanted && isGuard(checker.getTypeAtLocation(wanted));
        if (isPassedGuard(given) && !isOfGuard) context.report({ node, messageId: 'guard' });
      },
      'ArrayExpression > *, TemplateLiteral > *.expressions'(/** @type {any} */ node) {
        const isAwaited = node.parent.parent.callee?.object?.name === 'Promise';
        if (!isSpread(node) && !isAwaited) leaves(node);
      },
      'ReturnStatement > *.argument, ArrowFunctionExpression > *.body'(/** @type {any} */ node) {
        if (node.type === 'BlockStatement' || !isRouteFunction(node)) return;
        const type = typeOf(node);
        if (isFailed(node)) {
          context.report({ node, messageId: 'body' });
          return;
        }
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
