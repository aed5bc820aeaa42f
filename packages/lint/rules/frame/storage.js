/** A frame may be denied storage, and accessing it then throws. Only `@gatehouse/frame` uses it, within `try`. */
import { globalsOf } from '../../analysis/imports.js';

const stores = [
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'caches',
  'cookieStore',
  'document.defaultView.localStorage',
  'document.defaultView.sessionStorage',
];

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      store:
        '`{{name}}` throws in a frame that is denied storage, and the page then fails. Keep unsent input with `useDraft` of `@gatehouse/frame/react` (or `keepDraft` and `takeDraft` of `@gatehouse/frame/browser`), a preference in a cookie (docs/recipes/cookie.md), and everything else on the server.',
    },
  },
  create(context) {
    return {
      Program(program) {
        for (const { node, path } of globalsOf(context, program, stores)) {
          context.report({
            node,
            messageId: 'store',
            data: { name: path.split('.').at(-1) ?? path },
          });
        }
      },
    };
  },
};
