/** W01: the platform attaches the visitor's identity itself, so the site sends no token. */
import { keyOf, memberName } from '../../analysis/targets.js';
import { sentences } from '../../analysis/site-files.js';

const credential = /^(proxy-)?authorization$|^x-(api-key|auth-token|access-token)$/i;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      token: sentences(
        'Do not send a credential from here.',
        'Send the platform none: it attaches the visitor’s identity itself (use `checkPlatformUser` of app/platform.server.ts, and the operations of app/platform/).',
        'Keep the key of another service in its file in app/external/ (docs/recipes/external-service.md).',
      ),
    },
  },
  create(context) {
    const tell = (/** @type {any} */ node) => {
      context.report({ node, messageId: 'token' });
    };
    return {
      'ObjectExpression > Property'(/** @type {any} */ node) {
        if (credential.test(keyOf(node))) tell(node);
      },
      CallExpression(/** @type {any} */ { callee, arguments: [name] }) {
        const isSet = /^(set|append|setRequestHeader)$/.test(memberName(callee) ?? '');
        if (isSet && credential.test(String(name?.value ?? ''))) tell(name);
      },
      'ArrayExpression > Literal:first-child'(/** @type {any} */ node) {
        const isPair = node.parent.elements.length === 2;
        if (isPair && credential.test(String(node.value))) tell(node);
      },
      'AssignmentExpression > MemberExpression.left'(/** @type {any} */ node) {
        if (credential.test(memberName(node) ?? '')) tell(node);
      },
      TemplateLiteral(/** @type {any} */ node) {
        const isPart = node.expressions.length > 0;
        if (isPart && /^(Bearer|Basic) $/.test(node.quasis[0].value.raw)) tell(node);
      },
      'BinaryExpression[operator="+"] > Literal.left'(/** @type {any} */ node) {
        if (/^(Bearer|Basic) $/.test(String(node.value))) tell(node);
      },
    };
  },
};
