/** W01: the platform attaches the visitor's identity itself, so the site sends no token. */
import { keyOf, memberName } from '../../analysis/targets.js';
import { textsOf } from '../../analysis/texts.js';
import { typesOf } from '../../analysis/types.js';
import { sentences } from '../../analysis/site-files.js';

const credential =
  /^(proxy-)?authorization$|^x-(api-key|auth-token|access-token)$|^(access_token|api_key)$/i;
/** Before the token itself. */
const scheme = /^(Bearer|Basic|Token) /i;

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
    const { checker, tsNode, textOf } = typesOf(context);
    const report = (/** @type {any} */ node) => {
      context.report({ node, messageId: 'token' });
    };
    /** @param {any} node @param {string | undefined} name */
    const named = (node, name) => {
      if (credential.test(name ?? '')) report(node);
    };
    return {
      'ObjectExpression > Property'(/** @type {any} */ node) {
        named(node, node.computed ? textOf(node.key) : keyOf(node));
      },
      'ArrayExpression[elements.length=2]'(/** @type {any} */ { elements: [name] }) {
        if (name) named(name, textOf(name));
      },
      'AssignmentExpression > MemberExpression.left'(/** @type {any} */ node) {
        named(node, node.computed ? textOf(node.property) : memberName(node));
      },
      'CallExpression, TemplateLiteral, BinaryExpression[operator="+"]'(/** @type {any} */ node) {
        const member = node.callee && (memberName(node.callee) ?? '');
        const [name] = node.arguments ?? [];
        if (name && /^(set|append|setRequestHeader)$/.test(member)) named(name, textOf(name));
        if (node.callee && !/^(join|concat)$/.test(member)) return;
        const texts = textsOf(tsNode(node), checker);
        if (texts.some(({ start, open }) => open && scheme.test(start))) report(node);
      },
      // `/bookmarks?access_token=${key}`
      TemplateElement(/** @type {any} */ node) {
        if (/[?&](access_token|api_?key)=$/i.test(node.value.raw)) report(node);
      },
    };
  },
};
