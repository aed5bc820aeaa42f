/** The platform signs people in, so only the site's own accounts ask for a password (W30). */
import { initOf } from '../../analysis/variables.js';
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
    const { sourceCode } = context;

    /**
     * Whether an expression may be a text that makes a password field.
     * @param {any} node
     * @returns {boolean}
     */
    function isPassword(node) {
      switch (node?.type) {
        case 'Literal':
          return /^(password|(current|new)-password)$/i.test(String(node.value));
        case 'TemplateLiteral':
          return node.quasis[0].value.raw === 'password';
        case 'JSXExpressionContainer':
        case 'TSAsExpression':
        case 'TSSatisfiesExpression':
          return isPassword(node.expression);
        case 'ConditionalExpression':
          return isPassword(node.consequent) || isPassword(node.alternate);
        case 'LogicalExpression':
          return isPassword(node.left) || isPassword(node.right);
        case 'Identifier':
          return isPassword(initOf(sourceCode, node));
        default:
          return false;
      }
    }

    /** @param {any} node @param {string} name @param {any} value */
    function field(node, name, value) {
      if (/^(type|autocomplete)$/i.test(name) && isPassword(value)) {
        context.report({ node, messageId: 'password' });
      }
    }

    return {
      JSXAttribute(/** @type {any} */ node) {
        field(node, String(node.name.name), node.value);
      },
      'JSXSpreadAttribute > ObjectExpression > Property, CallExpression[callee.name="createElement"] > ObjectExpression > Property, VariableDeclarator > ObjectExpression > Property'(
        /** @type {any} */ node,
      ) {
        field(node, node.key.name ?? '', node.value);
      },
      AssignmentExpression(/** @type {any} */ { left, right }) {
        if (left.type === 'MemberExpression') field(left, left.property.name ?? '', right);
      },
    };
  },
};
