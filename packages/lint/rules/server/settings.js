/**
 * Only `app/env.server.ts` reads settings, and only the platform's caller uses the internal address (W02).
 */
import { globalListeners, importListeners } from '../../analysis/imports.js';
import { memberName } from '../../analysis/targets.js';
import { typesOf } from '../../analysis/types.js';
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
    const { checker, tsNode, textOf } = typesOf(context);
    const address = 'platformInternalUrl';
    const report = (/** @type {any} */ node) => {
      context.report({ node, messageId: 'address' });
    };
    const nameOf = (/** @type {any} */ key, /** @type {boolean} */ computed) =>
      computed ? textOf(key) : key.name;
    /** All settings, where the internal address is one of them. @param {any} node */
    const isWhole = (node) =>
      checker.getTypeAtLocation(tsNode(node)).getProperty(address) !== undefined;
    return {
      ...importListeners(({ name, node, names }) => {
        const isProcess = /^(node:)?process$/.test(name);
        if (isProcess && names.includes('env')) {
          context.report({ node, messageId: 'read' });
        }
        if (/^(dotenv|env-var|envalid)(\/|$)/.test(name))
          context.report({ node, messageId: 'read' });
      }),
      ...globalListeners(
        context,
        ['process.env', 'process.loadEnvFile', 'Bun.env', 'Deno.env'],
        ({ node }) => {
          context.report({ node, messageId: 'read' });
        },
      ),
      MetaProperty(/** @type {any} */ node) {
        let { parent } = node;
        while (/^TS/.test(parent.type)) ({ parent } = parent);
        const isTaken = parent.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern';
        if (memberName(parent) !== 'env' && !isTaken) return;
        const name = memberName(parent.parent);
        if (!name || !ofBuild.has(name)) context.report({ node: parent, messageId: 'read' });
      },
      ':matches(MemberExpression)'(/** @type {any} */ node) {
        if (nameOf(node.property, node.computed) === address) report(node);
      },
      ':matches(ObjectPattern) > Property'(/** @type {any} */ node) {
        if (nameOf(node.key, node.computed) === address) report(node);
      },
      // All of them, in an answer or in the log.
      'ObjectPattern > RestElement'(/** @type {any} */ node) {
        if (isWhole(node.parent) && isWhole(node.argument)) report(node);
      },
      'SpreadElement > *, ObjectExpression > Property > *.value, ArrayExpression > *'(
        /** @type {any} */ node,
      ) {
        if (/^(Identifier|CallExpression)$/.test(node.type) && isWhole(node)) report(node);
      },
      'CallExpression > *.arguments'(/** @type {any} */ node) {
        if (!/^(Identifier|CallExpression)$/.test(node.type) || !isWhole(node)) return;
        const declaration = checker.getResolvedSignature(tsNode(node.parent))?.declaration;
        if (!declaration || !('body' in declaration)) report(node);
      },
    };
  },
};
