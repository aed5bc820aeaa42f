/** Requires that upstream text in a `ToolError`, which a model reads, is bounded and on one line. */

const deepest = 8;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      text: 'Text from the service in a `ToolError` can have any length, and tell the model anything. Pass it through `oneLine(text, 100)` of src/core/result/format.ts. Do not catch upstream errors to reword them: the error table does that.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;

    /** Whether a text is a literal, or bounded. */
    /** @param {any} node @returns {boolean} */
    function isBounded(node, depth = 0) {
      if (!node || depth > deepest) return false;
      const bounded = (/** @type {any} */ part) => isBounded(part, depth + 1);
      switch (node.type) {
        case 'Literal':
          return true;
        case 'TemplateLiteral':
          return node.expressions.every(bounded);
        case 'BinaryExpression':
          return bounded(node.left) && bounded(node.right);
        case 'ConditionalExpression':
          return bounded(node.consequent) && bounded(node.alternate);
        case 'LogicalExpression':
          return bounded(node.left) && bounded(node.right);
        case 'TSAsExpression':
        case 'TSNonNullExpression':
          return bounded(node.expression);
        case 'ArrayExpression':
          return node.elements.every(bounded);
        case 'Identifier':
          return isNumber(node) || bounded(constantOf(node));
        case 'CallExpression':
          return isBoundedCall(node, bounded);
        default:
          return isNumber(node);
      }
    }

    /** @param {any} call @param {(node: any) => boolean} bounded */
    function isBoundedCall({ callee, arguments: [first, length] }, bounded) {
      // Without a length, `oneLine` bounds nothing; `humanTime` returns what is not a time unchanged.
      if (callee.name === 'oneLine') return length !== undefined && isNumber(length);
      if (callee.name === 'humanTime') return bounded(first);
      if (callee.type === 'Identifier') return false;
      const method = callee.property?.name;
      if (method === 'map') return bounded(resultOf(first));
      // A list whose items are bounded, or a method of a bounded text.
      return (
        ['join', 'filter', 'slice', 'trim', 'toLowerCase'].includes(method) &&
        bounded(callee.object)
      );
    }

    /** Returns the expression that a callback returns for each item. */
    /** @param {any} callback */
    function resultOf(callback) {
      if (callback?.type === 'Identifier')
        return { type: 'CallExpression', callee: callback, arguments: [] };
      if (callback?.body?.type !== 'BlockStatement') return callback?.body;
      return callback.body.body.at(-1)?.argument;
    }

    /** @param {any} node */
    function constantOf(node) {
      /** @type {import('eslint').Scope.Scope | null} */
      let scope = sourceCode.getScope(node);
      while (scope && !scope.set.has(node.name)) scope = scope.upper;
      const definition = scope?.set.get(node.name)?.defs[0];
      const isConstant = definition?.type === 'Variable' && definition.parent?.kind === 'const';
      return isConstant && definition.node.id.type === 'Identifier'
        ? definition.node.init
        : undefined;
    }

    /** @param {any} node @returns {boolean} */
    function isNumber(node) {
      if (node.type === 'Literal') return typeof node.value === 'number';
      if (!services?.program) return node.type === 'Identifier' && isNumber(constantOf(node) ?? {});
      const type = services.program
        .getTypeChecker()
        .getTypeAtLocation(services.esTreeNodeToTSNodeMap.get(node));
      return /^(number|bigint|boolean|\d+( \| \d+)*)$/.test(
        services.program.getTypeChecker().typeToString(type),
      );
    }

    return {
      'NewExpression[callee.name="ToolError"]'(/** @type {any} */ node) {
        const [text] = node.arguments;
        if (text && !isBounded(text)) context.report({ node: text, messageId: 'text' });
      },
    };
  },
};
