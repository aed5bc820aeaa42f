/** A component runs in the browser too: this reports the server's modules in it before the build fails (W12, W23). */
import { isBuiltin } from 'node:module';
import { sentences } from '../../analysis/site-files.js';

/** A route's exports that the build removes for the browser. */
const ofServer = new Set(['loader', 'action', 'headers']);

const serverModule =
  /\.server(\/|$|\.[jt]sx?$)|(^~\/(server|platform\/(operations|simulated))|\.\.\/platform\/(operations|simulated))(\/|$)|^@gatehouse\/(simulator(\/|$)|server(\/(?!route$|(remix|react-router)\/meta$)|$)|\w+\/server$)|^@(remix-run|react-router)\/(node|serve|server-runtime)$/;

const isServerModule = (/** @type {string} */ name) => serverModule.test(name) || isBuiltin(name);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [
      { type: 'object', properties: { route: { type: 'boolean' } }, additionalProperties: false },
    ],
    defaultOptions: [{ route: false }],
    messages: {
      used: '`{{name}}` of `{{module}}` is only for the server, but `{{by}}` runs in the browser too. Use it in the loader or the action, return what the page shows, and read that with `useLoaderData`.',
      imported: sentences(
        '`{{module}}` is only for the server, but this file goes to the browser too. Use the module in a loader or an action, and pass the component only what it shows.',
        'Types that are safe for the browser are in app/platform/ and `@gatehouse/platform`.',
      ),
    },
  },
  create(context) {
    const { sourceCode } = context;
    const { route } = context.options[0];
    return {
      ImportDeclaration(/** @type {any} */ node) {
        const module = node.source.value;
        if (node.importKind === 'type' || !isServerModule(module)) return;
        if (!route) {
          const isForTypes = node.specifiers.every(
            (/** @type {any} */ specifier) => specifier.importKind === 'type',
          );
          if (node.specifiers.length > 0 && isForTypes) return;
          return context.report({ node, messageId: 'imported', data: { module } });
        }
        for (const variable of sourceCode.getDeclaredVariables(node)) {
          for (const use of browserUses(variable, new Set())) {
            const data = { name: variable.name, module, by: use.by };
            context.report({ node: use.node, messageId: 'used', data });
          }
        }
      },
      'ExportNamedDeclaration[source], ExportAllDeclaration'(/** @type {any} */ node) {
        const module = node.source.value;
        if (node.exportKind === 'type' || !isServerModule(module)) return;
        const names = (node.specifiers ?? []).map(
          (/** @type {any} */ specifier) => specifier.exported.name,
        );
        const isOfServer =
          names.length > 0 &&
          names.every((/** @type {string} */ exportedName) => ofServer.has(exportedName));
        if (!(route && isOfServer))
          context.report({ node, messageId: 'imported', data: { module } });
      },
      ImportExpression(/** @type {any} */ node) {
        const module = String(node.source.value ?? '');
        if (!isServerModule(module)) return;
        if (!route) return context.report({ node, messageId: 'imported', data: { module } });
        for (const by of ownersOf(node, new Set())) {
          context.report({ node, messageId: 'used', data: { name: 'import()', module, by } });
        }
      },
    };

    /** @param {import('eslint').Scope.Variable} variable @param {Set<unknown>} seen */
    function browserUses(variable, seen) {
      return (
        variable.references
          .filter((reference) => /** @type {any} */ (reference).isValueReference !== false)
          // `typeof refusalIn` in a type.
          .filter(({ identifier }) => /** @type {any} */ (identifier).parent.type !== 'TSTypeQuery')
          .flatMap(({ identifier }) =>
            ownersOf(identifier, seen).map((by) => ({ node: identifier, by })),
          )
      );
    }

    /**
     * The exports for the browser that use this node, directly or through other declarations.
     * @param {any} node
     * @param {Set<unknown>} seen
     * @returns {string[]}
     */
    function ownersOf(node, seen) {
      let top = node;
      while (top.parent && top.parent.type !== 'Program') top = top.parent;
      if (seen.has(top)) return [];
      const declaration = top.declaration ?? top;
      if (top.type === 'ExportDefaultDeclaration') return ['default'];
      if (top.type === 'ExportNamedDeclaration' && !top.declaration) {
        return top.specifiers
          .filter(
            (/** @type {any} */ specifier) => specifier.local === node || specifier === node.parent,
          )
          .map((/** @type {any} */ specifier) => specifier.exported.name)
          .filter((/** @type {string} */ name) => !ofServer.has(name));
      }
      const isDeclared = /^(Variable|Function|Class)/.test(declaration.type);
      // A statement at module level runs in the browser, too.
      if (!isDeclared) return ['the module'];
      const holder =
        declaration.type === 'VariableDeclaration'
          ? declaration.declarations.find((/** @type {any} */ declarator) =>
              contains(declarator, node),
            )
          : declaration;
      // The declared variables of a function include its parameters.
      const names = sourceCode
        .getDeclaredVariables(holder ?? declaration)
        .filter(({ name }) => !declaration.id || name === declaration.id.name);
      if (top.type === 'ExportNamedDeclaration') {
        return names.map(({ name }) => name).filter((name) => !ofServer.has(name));
      }
      const next = new Set(seen).add(top);
      return [
        ...new Set(
          names.flatMap((variable) =>
            variable.references
              .filter(({ init, identifier }) => !init && !contains(holder, identifier))
              .filter((reference) => /** @type {any} */ (reference).isValueReference !== false)
              // `typeof refusalIn` in a type.
              .filter(
                ({ identifier }) => /** @type {any} */ (identifier).parent.type !== 'TSTypeQuery',
              )
              .flatMap(({ identifier }) => ownersOf(identifier, next)),
          ),
        ),
      ];
    }
  },
};

/** @param {any} outer @param {any} inner */
function contains(outer, inner) {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}
