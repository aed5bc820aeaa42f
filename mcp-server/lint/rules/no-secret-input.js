/**
 * M30: a secret must be entered on a page of this server, because an argument or a form exposes it to the model and
 * the client.
 */

/** Matches a whole name: `page_token` and `token_count` are not secrets. */
const secret =
  /^(password|passphrase|passcode|secret|pin|token|credentials?|(api|access|private|secret)_?key|(access|auth|bearer|refresh|personal|user|api)_?token|client_?secret|authorization)$/i;
const asked =
  /\b(password|passphrase|secret|credential|api[ -]?key|access[ -]?key|private[ -]?key|token)s?\b/i;

const instead =
  "Ask for it by `context.elicit(prompt, 'password')`, which opens a page that only the user sees; then try it as a request's `secret` and keep it by `credentials.keep`.";

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      field: `\`{{name}}\` is an argument: the model would have to know the secret, and the conversation keeps it. ${instead}`,
      form: `A form's answer goes through the client, and in the model's reach. ${instead}`,
    },
  },
  create(context) {
    return {
      'CallExpression[callee.property.name=/^(strictObject|object|extend|safeExtend)$/] > ObjectExpression > Property'(
        /** @type {any} */ node,
      ) {
        const name = String(node.key.name ?? node.key.value);
        if (secret.test(name) && isInput(node))
          context.report({ node, messageId: 'field', data: { name } });
      },
      'CallExpression[callee.property.name="elicit"], CallExpression[callee.name="elicit"]'(
        /** @type {any} */ { arguments: [prompt, type] },
      ) {
        if (!prompt || type?.value === 'password') return;
        if (asked.test(context.sourceCode.getText(prompt))) {
          context.report({ node: prompt, messageId: 'form' });
        }
      },
    };

    /** Whether a field belongs to the `input` of a tool, inline or by reference. */
    /** @param {any} field */
    function isInput(field) {
      for (let node = field.parent; node; node = node.parent) {
        if (node.type === 'Property' && node.key.name === 'input') return true;
        if (node.type !== 'VariableDeclarator') continue;
        const [variable] = context.sourceCode.getDeclaredVariables(node);
        return Boolean(variable?.references.some(({ identifier }) => isPartOfInput(identifier)));
      }
      return false;
    }

    /** @param {any} identifier */
    function isPartOfInput(identifier) {
      for (let node = identifier.parent; node; node = node.parent) {
        if (node.type === 'Property' && (node.key.name ?? '') === 'input') return true;
      }
      return false;
    }
  },
};
