/** In a cross-site frame, browsers keep only cookies that are Secure, SameSite=None and Partitioned. */
import { ReferenceTracker } from '@eslint-community/eslint-utils';
import { globalsOf, importListeners } from '../../analysis/imports.js';
import { keyOf, memberName } from '../../analysis/targets.js';
import { initOf } from '../../analysis/variables.js';
import { sentences } from '../../analysis/site-files.js';

const frameworks = [
  '@remix-run/node',
  '@remix-run/server-runtime',
  '@remix-run/cloudflare',
  'react-router',
];
const sessions = [
  'createCookieSessionStorage',
  'createFileSessionStorage',
  'createMemorySessionStorage',
  'createSessionStorage',
  'createSession',
  'createCookieSessionStorageFactory',
];
const cookiePackages =
  /^(cookie|js-cookie|universal-cookie|tough-cookie|cookie-session|express-session|iron-session|remix-auth|next-auth|cookies-next)(\/|$)/;

/** @type {Record<string, unknown>} */
const needed = { path: '/', secure: true, sameSite: 'none', partitioned: true };

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      session: sentences(
        'Do not create sessions or cookies with `{{name}}`.',
        'Identify the visitor with `checkPlatformUser` of app/platform.server.ts.',
        'Identify the account with `checkAccount` of app/accounts.server.ts.',
        'To remember a preference, use a cookie (docs/recipes/cookie.md).',
      ),
      dropped:
        "A frame silently drops this cookie, or another subdomain can overwrite it: {{missing}}. Use `createFrameCookie('__Host-…')` of `@gatehouse/frame/server`, as docs/recipes/cookie.md does.",
      script:
        'Do not set or read cookies in a script: a frame drops them. Set them in an action with `createFrameCookie`, as docs/recipes/cookie.md does.',
    },
  },
  create(context) {
    return {
      ...importListeners(({ name, node }) => {
        if (cookiePackages.test(name))
          context.report({ node, messageId: 'session', data: { name } });
      }),
      Program(program) {
        for (const { node } of globalsOf(context, program, ['document.cookie', 'cookieStore'])) {
          context.report({ node, messageId: 'script' });
        }
        const tracker = new ReferenceTracker(context.sourceCode.getScope(program));
        const traced = Object.fromEntries([
          ...sessions.map((name) => [name, { [ReferenceTracker.READ]: true }]),
          ['createCookie', { [ReferenceTracker.CALL]: true }],
        ]);
        const modules = Object.fromEntries(
          frameworks.map((name) => [name, { [ReferenceTracker.ESM]: true, ...traced }]),
        );
        for (const { node, path } of tracker.iterateEsmReferences(modules)) {
          const name = path.at(-1) ?? '';
          if (name !== 'createCookie') {
            // One report at the import instead of one at each use.
            const comesIn = ['ImportSpecifier', 'MemberExpression', 'ExportSpecifier'];
            if (comesIn.includes(node.type))
              context.report({ node, messageId: 'session', data: { name } });
          } else dropped(node, missingIn(/** @type {any} */ (node).arguments));
        }
      },
      'Property, CallExpression'(/** @type {any} */ node) {
        const text = setCookieOf(node);
        if (text === undefined) return;
        const missing = ['Secure', 'SameSite=None', 'Partitioned'].filter(
          // After a semicolon: the name or the value may contain the word.
          (attribute) => !new RegExp(`;\\s*${attribute}\\b`, 'i').test(text),
        );
        if (missing.length > 0) dropped(node, `it lacks ${missing.join(', ')}`);
      },
    };

    /** @param {any} node @param {string | undefined} missing */
    function dropped(node, missing) {
      if (missing) context.report({ node, messageId: 'dropped', data: { missing } });
    }

    /**
     * The text of a `Set-Cookie` header that is written by hand.
     * @param {any} node
     * @returns {string | undefined}
     */
    function setCookieOf(node) {
      const [name, value] =
        node.type === 'Property'
          ? [keyOf(node), node.value]
          : /^(set|append)$/.test(memberName(node.callee) ?? '')
            ? [String(node.arguments[0]?.value), node.arguments[1]]
            : [];
      if (!/^set-cookie$/i.test(name ?? '')) return undefined;
      return textOf(value?.type === 'Identifier' ? initOf(context.sourceCode, value) : value);
    }

    /** @param {any} value @returns {string | undefined} */
    function textOf(value) {
      const isText = ['Literal', 'TemplateLiteral', 'BinaryExpression'].includes(value?.type);
      return isText ? context.sourceCode.getText(value) : undefined;
    }

    /** @param {any[]} call */
    function missingIn([name, options]) {
      const found = optionsOf(options);
      if (options && !found) return undefined;
      const wrong = Object.entries(needed).filter(([key, value]) => found?.get(key) !== value);
      if (!/^__Host-/.test(String(name?.value ?? '__Host-')))
        return 'its name does not begin with `__Host-`';
      return wrong.length === 0
        ? undefined
        : `it lacks ${wrong.map(([key, value]) => `\`${key}: ${JSON.stringify(value).replaceAll('"', "'")}\``).join(', ')}`;
    }

    /** @param {any} node @returns {Map<string, unknown> | undefined} */
    function optionsOf(node) {
      if (node?.type === 'Identifier') return optionsOf(initOf(context.sourceCode, node));
      if (node?.type === 'TSAsExpression') return optionsOf(node.expression);
      if (node?.type !== 'ObjectExpression') return undefined;
      const entries = node.properties.flatMap((/** @type {any} */ property) =>
        property.type === 'Property'
          ? [[keyOf(property), property.value.value]]
          : [...(optionsOf(property.argument) ?? new Map())],
      );
      return new Map(entries);
    }
  },
};
