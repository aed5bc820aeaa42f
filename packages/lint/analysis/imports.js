/** What a file imports or uses of the global scope, in every spelling. */
import { ReferenceTracker } from '@eslint-community/eslint-utils';
import { typesOf } from './types.js';

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
 * Listeners for uses of globals: `fetch`, `window.fetch`, `const { fetch: ask } = globalThis`, through aliases, and through
 * values of their types: `event.view.fetch`, `({ fetch: ask }: Window) => …`.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {readonly string[]} paths such as `fetch` and `process.env`
 * @param {(use: { node: any, path: string }) => void} found
 * @returns {import('eslint').Rule.RuleListener}
 */
export function globalListeners(context, paths, found) {
  /** @type {any} */
  const wanted = {};
  for (const path of paths) {
    let place = wanted;
    for (const name of path.split('.')) place = place[name] ??= {};
    place[ReferenceTracker.READ] = path;
  }
  const { checker, tsNode, textOf } = typesOf(context);
  const reported = new Set();
  const report = (/** @type {any} */ node, /** @type {string} */ path) => {
    const isType = /^TSType/.test(node.parent.type);
    if (!isType && !reported.has(node)) found({ node, path });
    reported.add(node);
  };

  /** @param {any} node @param {any} owner what has the property @param {any} key @param {boolean} computed */
  function property(node, owner, key, computed) {
    const name = computed ? textOf(key) : key.name;
    const path = paths.find((candidate) => candidate.split('.').at(-1) === name);
    if (!path || !name) return;
    const type = checker.getNonNullableType(checker.getTypeAtLocation(tsNode(owner)));
    const declarations = type.getProperty(name)?.declarations;
    const isGlobal = declarations?.some((/** @type {any} */ declaration) => {
      const file = declaration.getSourceFile().fileName;
      const owns = /^(Document|Navigator|Process|Window.*|.*GlobalScope|GlobalFetch)$/;
      return globalTypes.test(file) && owns.test(declaration.parent.name?.text ?? 'Window');
    });
    if (isGlobal) report(node, path);
  }
  return {
    Program(program) {
      const tracker = new ReferenceTracker(context.sourceCode.getScope(program), {
        globalObjectNames: ['global', 'globalThis', 'self', 'window'],
      });
      for (const { node, info } of tracker.iterateGlobalReferences(wanted))
        report(/** @type {any} */ (node), String(info));
    },
    MemberExpression(/** @type {any} */ node) {
      property(node, node.object, node.property, node.computed);
    },
    'ObjectPattern > Property'(/** @type {any} */ node) {
      property(node, node.parent, node.key, node.computed);
    },
  };
}

/** Where the browser's and Node's globals are declared. */
const globalTypes = /\/lib\.dom[\w.]*\.d\.ts$|\/@types\/node\//;
