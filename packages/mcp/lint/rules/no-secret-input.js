/**
 * M30: a secret must be entered on a page of this server, because an argument or a form exposes it to the model and
 * the client.
 */

/** Matches the end of a name in snake case. `token_count` is not a secret. */
const secret =
  /(^|_)(password|passwd|pwd|passphrase|passcode|secret|otp|pat|jwt|credentials?|authorization|token)$|^pin$|(^|_)(api|access|private|secret|client|service|signing|encryption|ssh)_?key$/;
/** A place in a list, which services call a token too. */
const place = /(^|_)(page|next|prev|previous|cursor|continuation|resume|sync|change)_token$/;
const secretWords =
  /\b(password|passphrase|passcode|secret|credential|api[ -]?key|access[ -]?key|private[ -]?key|token)s?\b/i;
/** Types whose answers cannot contain a secret, such as a confirmation. */
const harmless = new Set(['boolean', 'date', 'number', 'password']);

const instead =
  "Ask for it with `context.elicit(prompt, 'password')`, which opens a page that only the user sees; then test it as an upstream request's `secret`, and store it with `credentials.keep`.";

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      field: `\`{{name}}\` is an argument: the model would have to know the secret, and the conversation keeps it. ${instead}`,
      form: `A form's answer passes through the client, within the model's reach. ${instead}`,
    },
  },
  create(context) {
    return {
      'CallExpression[callee.property.name=/^(strictObject|object|extend|safeExtend)$/] > ObjectExpression > Property'(
        /** @type {any} */ node,
      ) {
        const name = String(node.key.name ?? node.key.value);
        if (isSecret(name) && isInput(node))
          context.report({ node, messageId: 'field', data: { name } });
      },
      CallExpression(/** @type {any} */ { callee, arguments: [prompt, type] }) {
        if (!prompt || !isElicit(callee)) return;
        const isForm = type?.properties?.some(
          (/** @type {any} */ { key }) => key?.name === 'fields',
        );
        if (harmless.has(type?.value) || (type?.type === 'ObjectExpression' && !isForm)) return;
        const fields = isForm ? context.sourceCode.getText(type).replaceAll('_', ' ') : '';
        if (secretWords.test(`${wordsOf(prompt)} ${fields}`))
          context.report({ node: prompt, messageId: 'form' });
      },
    };

    /** Whether this is `context.elicit`, or a variable that was destructured from the context. */
    /** @param {any} callee */
    function isElicit(callee) {
      if (callee.property?.name === 'elicit' || callee.name === 'elicit') return true;
      const pattern = callee.type === 'Identifier' && definitionOf(callee)?.name.parent;
      return pattern?.type === 'Property' && pattern.key.name === 'elicit';
    }

    /** The text of a prompt, through constants. */
    /** @param {any} node @returns {string} */
    function wordsOf(node, depth = 0) {
      const text = context.sourceCode.getText(node);
      if (depth > 4) return text;
      const parts = node.type === 'TemplateLiteral' ? node.expressions : [node];
      const named = parts
        .filter((/** @type {any} */ part) => part.type === 'Identifier')
        .map((/** @type {any} */ part) => definitionOf(part)?.node.init)
        .filter(Boolean);
      return [text, ...named.map((/** @type {any} */ node) => wordsOf(node, depth + 1))].join(' ');
    }

    /** @param {any} identifier @returns {any} */
    function definitionOf(identifier) {
      /** @type {import('eslint').Scope.Scope | null} */
      let scope = context.sourceCode.getScope(identifier);
      while (scope && !scope.set.has(identifier.name)) scope = scope.upper;
      return scope?.set.get(identifier.name)?.defs[0];
    }

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

/** @param {string} name */
function isSecret(name) {
  const snake = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return secret.test(snake) && !place.test(snake);
}
