/** The platform signs people in, so only the site's own accounts ask for a password (W30). */
import { keyOf, memberName } from '../../analysis/targets.js';
import { textsOf } from '../../analysis/texts.js';
import { typesOf } from '../../analysis/types.js';
import { sentences } from '../../analysis/site-files.js';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      password: sentences(
        'Do not ask for a password here.',
        'The platform owns sign-in: use `SignInButton` of app/shell/platform/auth-buttons.tsx.',
        'Only the site’s own accounts, in app/accounts/, may ask for one.',
      ),
    },
  },
  create(context) {
    const { checker, tsNode, textOf } = typesOf(context);

    /** @param {any} node @param {string} name @param {any} value */
    function field(node, name, value) {
      if (!value || !/^(type|autocomplete)$/i.test(name)) return;
      const given = value.type === 'JSXExpressionContainer' ? value.expression : value;
      const texts = textsOf(tsNode(given), checker);
      const isPassword = texts.some(({ start, open }) => !open && kinds.test(start));
      if (isPassword) context.report({ node, messageId: 'password' });
    }

    return {
      JSXAttribute(/** @type {any} */ node) {
        field(node, String(node.name.name), node.value);
      },
      // Spread, in a list of fields, or passed to a helper.
      'ObjectExpression > Property'(/** @type {any} */ node) {
        field(node, keyOf(node), node.value);
      },
      AssignmentExpression(/** @type {any} */ { left, right }) {
        if (left.type === 'MemberExpression') field(left, left.property.name ?? '', right);
      },
      CallExpression(/** @type {any} */ node) {
        const [name, value] = node.arguments;
        if (memberName(node.callee) === 'setAttribute') field(node, textOf(name) ?? '', value);
      },
    };
  },
};

/** What makes a password field, as `type` or as `autocomplete`. */
const kinds = /^((current|new)-)?password$/i;
