/** Requires an explicit type for a handler's context: without it, the service's state has no type. */

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      missing:
        'Annotate the context’s type; otherwise `lifespanState` is `unknown`. Write `{{name}}: ToolContext<AcmeState>`, with the state of your service from its state.ts, and `ToolContext` of src/core/context/tool-context.ts.',
    },
  },
  create(context) {
    return {
      'CallExpression[callee.name=/^define(Tool|Resource)$/] > ObjectExpression > Property'(
        /** @type {any} */ { key, value },
      ) {
        const index = ['handler', 'read'].includes(key.name) ? 1 : key.name === 'list' ? 0 : -1;
        const parameter = /Function/.test(value.type) ? value.params[index] : undefined;
        if (!parameter || parameter.typeAnnotation || !mayUseState(parameter)) return;
        const name = parameter.name ?? 'context';
        context.report({ node: parameter, messageId: 'missing', data: { name } });
      },
    };
  },
};

/**
 * A pattern without the state, such as `{ caller }`, needs no type.
 * @param {any} parameter
 */
function mayUseState(parameter) {
  return (
    parameter.type !== 'ObjectPattern' ||
    parameter.properties.some(
      (/** @type {any} */ property) =>
        property.type === 'RestElement' || property.key.name === 'lifespanState',
    )
  );
}
