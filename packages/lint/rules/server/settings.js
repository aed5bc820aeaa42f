/**
 * Only `app/env.server.ts` reads settings, and only the platform's caller uses the internal address (W02).
 */
import { globalsOf, importListeners } from '../../analysis/imports.js';
import { keyOf, memberName } from '../../analysis/targets.js';
import { sentences, withoutPlatform } from '../../analysis/site-files.js';

/** Constants of the build, which Vite sets. */
const ofBuild = new Set(['DEV', 'PROD', 'MODE', 'SSR', 'BASE_URL']);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      read: 'Read settings only in app/env.server.ts, which checks them at start. In a loader or an action, take them from `siteEnv()`; a component gets them from its loader.',
      address:
        sentences(
          'Only app/platform.server.ts may use the internal address: call the platform with its `checkPlatformUser`, and with the operations of its `createPlatformSdk`.',
        ) || withoutPlatform,
    },
  },
  create(context) {
    return {
      ...importListeners(({ name, node, names }) => {
        const isProcess = /^(node:)?process$/.test(name);
        if (isProcess && names.some((imported) => /^(\*|default|env)$/.test(imported))) {
          context.report({ node, messageId: 'read' });
        }
        if (/^(dotenv|env-var|envalid)(\/|$)/.test(name))
          context.report({ node, messageId: 'read' });
      }),
      Program(program) {
        for (const { node } of globalsOf(context, program, [
          'process.env',
          'Bun.env',
          'Deno.env',
        ])) {
          context.report({ node, messageId: 'read' });
        }
      },
      MetaProperty(/** @type {any} */ { parent }) {
        if (memberName(parent) !== 'env') return;
        const name = memberName(parent.parent);
        if (!name || !ofBuild.has(name)) context.report({ node: parent, messageId: 'read' });
      },
      MemberExpression(/** @type {any} */ node) {
        if (memberName(node) === 'platformInternalUrl')
          context.report({ node, messageId: 'address' });
      },
      'ObjectPattern > Property'(/** @type {any} */ node) {
        if (keyOf(node) === 'platformInternalUrl') context.report({ node, messageId: 'address' });
      },
    };
  },
};
