/** In a cross-site frame, browsers keep only cookies that are Secure, SameSite=None and Partitioned. */
import { ReferenceTracker } from '@eslint-community/eslint-utils';
import { globalListeners, importListeners } from '../../analysis/imports.js';
import { memberName } from '../../analysis/targets.js';
import { sourceOf } from '../../analysis/texts.js';
import { typesOf } from '../../analysis/types.js';
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
    const { checker, tsNode, textOf } = typesOf(context);
    return {
      ...importListeners(({ name, node }) => {
        if (cookiePackages.test(name))
          context.report({ node, messageId: 'session', data: { name } });
      }),
      ...globalListeners(context, ['document.cookie', 'cookieStore'], ({ node }) => {
        context.report({ node, messageId: 'script' });
      }),
      'Program:exit'(program) {
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
      Property(/** @type {any} */ { key, computed, value }) {
        header(computed ? textOf(key) : (key.name ?? key.value), value);
      },
      'ArrayExpression[elements.length=2]'(/** @type {any} */ { elements: [name, value] }) {
        header(name && textOf(name), value);
      },
      AssignmentExpression(/** @type {any} */ { left, right }) {
        if (left.type === 'MemberExpression') header(memberName(left), right);
      },
      CallExpression(/** @type {any} */ { callee, arguments: [name, value] }) {
        if (/^(set|append)$/.test(memberName(callee) ?? '')) header(textOf(name), value);
      },
    };

    /** @param {any} node @param {string | undefined} missing */
    function dropped(node, missing) {
      if (missing) context.report({ node, messageId: 'dropped', data: { missing } });
    }

    /**
     * A response's header: its cookie may be written by hand, in parts or by a helper.
     * @param {string | undefined} name
     * @param {any} value
     */
    function header(name, value) {
      if (!value || !/^set-cookie$/i.test(name ?? '')) return;
      const source = sourceOf(tsNode(value), checker);
      // Any other value is a cookie's own `serialize`, or comes from elsewhere.
      if (!/['"`][\w-]+=/.test(source)) return;
      const missing = ['Secure', 'SameSite=None', 'Partitioned'].filter(
        // At the beginning or after a semicolon: the name or the value may contain the word.
        (attribute) => !new RegExp(`[;'"\`]\\s*${attribute}\\b`, 'i').test(source),
      );
      if (missing.length > 0) dropped(value, `it lacks ${missing.join(', ')}`);
    }

    /** @param {any[]} call */
    function missingIn([name, options]) {
      if (!/^__Host-/.test(textOf(name) ?? '__Host-'))
        return 'its name does not begin with `__Host-`';
      const type = options && checker.getTypeAtLocation(tsNode(options));
      const wrong = Object.entries(needed).filter(([key, value]) => !agrees(type, key, value));
      return wrong.length === 0
        ? undefined
        : `it lacks ${wrong.map(([key, value]) => `\`${key}: ${JSON.stringify(value).replaceAll('"', "'")}\``).join(', ')}`;
    }

    /**
     * Whether options have this value. Those that are declared with their type only may have any.
     * @param {import('typescript').Type | undefined} type
     * @param {string} key
     * @param {unknown} value
     */
    function agrees(type, key, value) {
      const property = type?.getProperty(key);
      if (!property) return false;
      const written = /** @type {any} */ (property.valueDeclaration);
      const given = checker.typeToString(
        written?.initializer
          ? checker.getTypeAtLocation(written.initializer)
          : checker.getTypeOfSymbol(property),
      );
      return given === JSON.stringify(value) || !/^("|true|false)/.test(given);
    }
  },
};
