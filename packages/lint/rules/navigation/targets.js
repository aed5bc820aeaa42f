/** Redirects and navigations may only lead to addresses that are written in the code or made by a helper. */
import { leaves, staysHere, textsOf } from '../../analysis/texts.js';
import { targetListeners } from '../../analysis/targets.js';
import { calls, typesOf } from '../../analysis/types.js';
import { constantOf } from '../../analysis/variables.js';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      given:
        'The target of `{{by}}` may come from a request or other data, and could lead the visitor anywhere. Begin it with a literal path, as in `/posts/${encodeURIComponent(id)}`; for the path of this request, use `returnPathOf(url)` of `@gatehouse/frame`; to redirect to another site, use `externalRedirect` of @gatehouse/server/external-redirect.',
      another:
        '`{{by}}` leads to another site, which fails at run time. In a loader or an action, use `externalRedirect` of @gatehouse/server/external-redirect with literal origins; in a page, use a plain `<a href>`.',
      origins:
        "Write the origins that `externalRedirect` allows as literals, such as `['https://pay.example']`, and never take them from a request.",
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    return {
      ...targetListeners(context, ({ node, way, by, address }) => {
        if (way === 'link' || way === 'embed' || way === 'fetcher') return;
        const texts = textsOf(address, checker);
        if (texts.every(staysHere)) return;
        const isWritten = texts.every((text) => !text.open && leaves(text.start));
        if (!isWritten) context.report({ node, messageId: 'given', data: { by } });
        else if (way !== 'document') context.report({ node, messageId: 'another', data: { by } });
      }),
      ':matches(CallExpression)'(/** @type {any} */ call) {
        const [, origins] = call.arguments;
        if (!origins || !calls(tsNode(call), checker, /^externalRedirect$/, inServer)) return;
        const { elements = [origins] } =
          origins.type === 'TSAsExpression' ? origins.expression : origins;
        for (const element of elements) {
          const type = checker.getTypeAtLocation(tsNode(element));
          const list = checker.getIndexTypeOfType(type, 1) ?? type;
          const texts = textsOf(tsNode(element), checker);
          const isWritten = texts.every(({ open }) => !open) || isLiteral(list);
          if (!isWritten && !isConstantList(context, element)) {
            context.report({ node: element, messageId: 'origins' });
          }
        }
      },
    };
  },
};

const inServer = /\/(packages|@gatehouse)\/server\//;

/** @param {import('typescript').Type} type */
function isLiteral(type) {
  return (type.isUnion() ? type.types : [type]).every((part) => part.isStringLiteral());
}

/**
 * Whether it is a constant list of literals.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {any} node
 */
function isConstantList({ sourceCode }, node) {
  const init = node.type === 'Identifier' && constantOf(sourceCode, node);
  return (
    init?.type === 'ArrayExpression' &&
    init.elements.every((/** @type {any} */ element) => element.type === 'Literal')
  );
}
