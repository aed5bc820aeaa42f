/** The CSP blocks inline styles and `<base>`; raw markup could act on the visitor's behalf. */
import { keyOf, memberName } from '../../analysis/targets.js';
import { definitionOf, initOf } from '../../analysis/variables.js';

const markup = /^(innerHTML|outerHTML|srcdoc|srcDoc)$/;
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

    /** @param {any} object */
    function inObject(object) {
      for (const property of object.properties) {
        if (property.type === 'Property' && keyOf(property) === 'style')
          context.report({ node: property, messageId: 'style' });
      }
    }

    return {
      JSXOpeningElement(/** @type {any} */ element) {
        const { name } = element.name;
        if (name === 'style' || name === 'base') context.report({ node: element, messageId: name });
        for (const attribute of element.attributes) {
          if (attribute.type === 'JSXSpreadAttribute') {
            const object = objectOf(attribute.argument);
            if (object && !isForeign(element.name)) inObject(object);
          } else if (attribute.name.name === 'style' && !isForeign(element.name)) {
            context.report({ node: attribute, messageId: 'style' });
          } else if (markup.test(attribute.name.name)) raw(attribute, attribute.name.name);
          else if (attribute.name.name === 'dangerouslySetInnerHTML')
            raw(attribute, attribute.name.name);
        }
      },
      Property(/** @type {any} */ node) {
        if (keyOf(node) === 'dangerouslySetInnerHTML') raw(node, 'dangerouslySetInnerHTML');
      },
      AssignmentExpression(/** @type {any} */ { left }) {
        const name = memberName(left) ?? '';
        if (markup.test(name)) raw(left, name);
      },
      CallExpression(/** @type {any} */ node) {
        const name = memberName(node.callee) ?? node.callee.name ?? '';
        if (writers.test(name)) raw(node, name);
        if (/^write(ln)?$/.test(name) && node.callee.object?.name === 'document')
          raw(node, `document.${name}`);
        const [element, props] = node.arguments;
        const isIntrinsic = element?.type === 'Literal';
        if (
          /^(createElement|jsxs?)$/.test(name) &&
          isIntrinsic &&
          props?.type === 'ObjectExpression'
        ) {
          inObject(props);
        }
        if (name === 'setAttribute' && element?.value === 'style') {
          context.report({ node, messageId: 'style' });
        }
      },
    };

    /** @param {any} node */
    function objectOf(node) {
      if (node.type === 'ObjectExpression') return node;
      const init = node.type === 'Identifier' && initOf(sourceCode, node);
      return init?.type === 'ObjectExpression' ? init : undefined;
    }
  },
};
