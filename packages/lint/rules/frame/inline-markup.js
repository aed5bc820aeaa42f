/** The CSP blocks inline styles and `<base>`; raw markup could act on the visitor's behalf. */
import { memberName } from '../../analysis/targets.js';
import { partsOf, propertiesOf, typesOf } from '../../analysis/types.js';
import { definitionOf } from '../../analysis/variables.js';

const markup = /^(innerHTML|outerHTML|srcdoc|srcDoc|dangerouslySetInnerHTML)$/;
const writers = /^(insertAdjacentHTML|setHTMLUnsafe|createContextualFragment)$/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      style:
        'The content security policy blocks inline styles. Use Tailwind classes with the tokens of app/tailwind.css; for a length that comes from data, use an SVG attribute or `<Progress>` of app/ui/progress.tsx.',
      base: 'The content security policy blocks `<base>`. Begin addresses with `/`, as in `/posts`.',
      raw: '`{{name}}` inserts text into the page as markup, so whoever wrote the text can act on the visitor’s behalf. Render it as text or as elements.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const { checker, tsNode, textOf } = typesOf(context);
    const raw = (/** @type {any} */ node, /** @type {string} */ name) => {
      context.report({ node, messageId: 'raw', data: { name } });
    };

    /**
     * Whether a component comes from another package: those may set styles by script, which the policy
     * allows.
     * @param {any} element a name, or an object's member such as `Chart.Legend`
     * @returns {boolean}
     */
    function isForeign(element) {
      if (element.type === 'JSXMemberExpression') return isForeign(element.object);
      const definition = definitionOf(sourceCode, element);
      const source =
        definition?.type === 'ImportBinding' && /** @type {any} */ (definition.parent).source.value;
      return typeof source === 'string' && !/^([.~]|@remix-run\/|react-router)/.test(source);
    }

    /**
     * Props in an object, for an element or a component of the site's own.
     * @param {any} node
     */
    function inObject(node) {
      for (const { name } of propertiesOf(tsNode(node), checker)) {
        if (name === 'style') context.report({ node, messageId: 'style' });
        else if (markup.test(name)) raw(node, name);
      }
    }

    return {
      JSXOpeningElement(/** @type {any} */ element) {
        const { name } = element.name;
        if (name === 'style' || name === 'base') context.report({ node: element, messageId: name });
        for (const attribute of element.attributes) {
          if (attribute.type === 'JSXSpreadAttribute') {
            if (!isForeign(element.name)) inObject(attribute.argument);
          } else if (attribute.name.name === 'style' && !isForeign(element.name)) {
            context.report({ node: attribute, messageId: 'style' });
          } else if (markup.test(attribute.name.name)) raw(attribute, attribute.name.name);
        }
      },
      AssignmentExpression(/** @type {any} */ { left }) {
        const name = memberName(left) ?? '';
        if (markup.test(name)) raw(left, name);
      },
      CallExpression(/** @type {any} */ node) {
        const name = memberName(node.callee) ?? node.callee.name ?? '';
        const [first, second] = node.arguments;
        const { object } = node.callee;
        const isOf = (/** @type {any} */ value, /** @type {RegExp} */ type) =>
          partsOf(checker.getTypeAtLocation(tsNode(value))).some((part) =>
            type.test(part.symbol?.name ?? ''),
          );
        if (writers.test(name)) raw(node, name);
        if (/^write(ln)?$/.test(name) && object && isOf(object, /^Document$/))
          raw(node, `document.${name}`);
        if (/^(createElement|cloneElement|jsxs?)$/.test(name) && first) {
          const element = textOf(first);
          if (element === 'style' || element === 'base')
            context.report({ node, messageId: element });
          const made = first.openingElement?.name ?? first;
          if (second && (element !== undefined || !isForeign(made))) inObject(second);
        }
        if (name === 'assign' && second && isOf(first, /^HTML\w*Element$/)) inObject(second);
        const attribute = name === 'setAttribute' && textOf(first);
        if (attribute === 'style') context.report({ node, messageId: 'style' });
        if (attribute === 'srcdoc') raw(node, attribute);
      },
    };
  },
};
