/** What a file imports or uses of the global scope, in every spelling. */
import { ReferenceTracker } from '@eslint-community/eslint-utils';

/**
 * Listeners for `import`, `export … from`, `import()`, `require()` and `process.getBuiltinModule()`. Types do not count.
 * @param {(module: { name: string, node: any, names: string[] }) => void} found `names` are the imported names;
 *   `*` stands for the whole module
 * @returns {import('eslint').Rule.RuleListener}
 */
export function importListeners(found) {
  const report = (
    /** @type {any} */ node,
    /** @type {any} */ source,
    /** @type {string[]} */ names,
  ) => {
    if (typeof source?.value === 'string') found({ name: source.value, node, names });
  };
  return {
    ImportDeclaration(/** @type {any} */ node) {
      const values = node.specifiers.filter(
        (/** @type {any} */ specifier) => specifier.importKind !== 'type',
      );
      const isForTypes =
        node.importKind === 'type' || (node.specifiers.length > 0 && values.length === 0);
      if (isForTypes) return;
      report(
        node,
        node.source,
        values.map((/** @type {any} */ specifier) => specifier.imported?.name ?? '*'),
      );
    },
    ExportNamedDeclaration(/** @type {any} */ node) {
      const values = node.specifiers.filter(
        (/** @type {any} */ specifier) => specifier.exportKind !== 'type',
      );
      const isForTypes =
        node.exportKind === 'type' || (node.specifiers.length > 0 && values.length === 0);
      if (isForTypes) return;
      report(
        node,
        node.source,
        values.map((/** @type {any} */ specifier) => specifier.local.name),
      );
    },
    ExportAllDeclaration(/** @type {any} */ node) {
      if (node.exportKind !== 'type') report(node, node.source, ['*']);
    },
    ImportExpression(/** @type {any} */ node) {
      report(node, node.source, ['*']);
    },
    CallExpression(/** @type {any} */ node) {
      const name = node.callee.name ?? node.callee.property?.name;
      if (name === 'require' || name === 'getBuiltinModule') report(node, node.arguments[0], ['*']);
    },
  };
}

/**
 * The uses of globals, through aliases too: `fetch`, `window.fetch`, `const { fetch: ask } = globalThis`.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {import('eslint').AST.Program} program
 * @param {readonly string[]} paths such as `fetch` and `process.env`
 * @returns {{ node: any, path: string }[]}
 */
export function globalsOf(context, program, paths) {
  /** @type {any} */
  const wanted = {};
  for (const path of paths) {
    let place = wanted;
    for (const name of path.split('.')) place = place[name] ??= {};
    place[ReferenceTracker.READ] = path;
  }
  const tracker = new ReferenceTracker(context.sourceCode.getScope(program), {
    globalObjectNames: ['global', 'globalThis', 'self', 'window'],
  });
  return [...tracker.iterateGlobalReferences(wanted)]
    .map(({ node, info }) => ({ node: /** @type {any} */ (node), path: String(info) }))
    .filter(({ node }) => !/^TSType/.test(node.parent.type));
}
