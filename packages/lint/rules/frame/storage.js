/** A frame may be denied storage, and accessing it then throws. Only `@gatehouse/frame` uses it, within `try`. */
import { globalListeners, importListeners } from '../../analysis/imports.js';

const stores = [
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'caches',
  'cookieStore',
  'navigator.storage',
];
const packages =
  /^(localforage|idb|idb-keyval|dexie|store2|lscache|use-local-storage-state|zustand\/middleware)(\/|$)/;

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
    const report = (/** @type {any} */ node, /** @type {string} */ name) => {
      context.report({ node, messageId: 'store', data: { name } });
    };
    return {
      ...importListeners(({ name, node }) => {
        if (packages.test(name)) report(node, name);
      }),
      ...globalListeners(context, stores, ({ node, path }) => {
        report(node, path);
      }),
    };
  },
};
