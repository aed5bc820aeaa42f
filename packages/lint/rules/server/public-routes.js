/** What caches keep (`handle.cache`) is made without its visitor, and is sent whole. */
import * as ts from 'typescript';
import { filesOver } from '../../analysis/ancestors.js';
import { functionOf } from '../../analysis/functions.js';
import { checksIdentity, isGuard, isRequest } from '../../analysis/guards.js';
import { partsOf, typesOf } from '../../analysis/types.js';

/** How many calls inside of each other are followed, and how deep data is searched. */
const deepest = 4;

/** Parts of the context that a public route does not have. */
const ofVisitor = new Set(['clientAddress', 'cookie']);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      guard:
        'This route declares `cache` in its `handle`: caches give its response to everybody, and a guard throws in its loader. Remove `cache`, or the guard, and show in the browser what is the visitor’s.',
      above:
        'The loader of {{file}}, which runs for this page too, calls a guard. Caches give this page to everybody: remove `cache` here, or the guard there.',
      reads:
        'Caches give the response to everybody, so that `{{what}}` says nothing here. Use `params` and the query of `request.url`, or remove `cache` from `handle`.',
      deferred:
        'This loader returns a promise in its data. A page that caches keep is sent whole: await it, or remove `cache` from `handle`.',
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const { program } = context.sourceCode.parserServices;
    return {
      Program(ast) {
        const source = tsNode(ast);
        const exported = exportsOf(source);
        const handle = exported.get('handle')?.valueDeclaration;
        const declared = handle && checker.getTypeAtLocation(handle.initializer ?? handle);
        if (!declared?.getProperty('cache')) return;
        const loader = exported.get('loader')?.valueDeclaration;
        for (const { node, messageId } of faultsIn(loader))
          report(node.getSourceFile() === source ? node : loader, messageId, node);
        if (!exported.has('default')) return;
        if (loader && isDeferred(dataOf(loader))) report(loader.name ?? loader, 'deferred');
        for (const file of filesOver(program, source.fileName)) {
          const above = exportsOf(file).get('loader')?.valueDeclaration;
          const isAsking = faultsIn(above).some(({ messageId }) => messageId === 'guard');
          const name = file.fileName.replace(/^.*\/(?=app\/)/, '');
          if (isAsking) report(handle.name ?? handle, 'above', handle, name);
        }
      },
    };

    /** @param {ts.SourceFile} file @returns {Map<string, any>} */
    function exportsOf(file) {
      const module = checker.getSymbolAtLocation(file);
      const symbols = module ? checker.getExportsOfModule(module) : [];
      return new Map(
        symbols.map((symbol) => [
          symbol.name,
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        ]),
      );
    }

    /** @param {ts.Node} at @param {string} messageId @param {ts.Node} [what] @param {string} [file] */
    function report(at, messageId, what = at, file = '') {
      const { sourceCode } = context;
      const loc = {
        start: sourceCode.getLocFromIndex(at.getStart()),
        end: sourceCode.getLocFromIndex(at.getEnd()),
      };
      context.report({ loc, messageId, data: { what: what.getText(), file } });
    }

    /**
     * Guards that a function calls, and what it reads of its visitor, also in the site's functions that it calls.
     * @param {ts.Node | undefined} node
     * @param {Set<unknown>} seen
     * @returns {{ node: ts.Node, messageId: 'guard' | 'reads' }[]}
     */
    function faultsIn(node, seen = new Set(), depth = 0) {
      const found = functionOf(node, checker) ?? node;
      if (!found || seen.has(found) || depth > deepest) return [];
      seen.add(found);
      /** @type {{ node: ts.Node, messageId: 'guard' | 'reads' }[]} */
      const faults = [];
      const visit = (/** @type {ts.Node} */ part) => {
        if (ts.isCallExpression(part)) {
          const type = checker.getTypeAtLocation(part);
          if (isGuard(checker.getAwaitedType(type) ?? type))
            return void faults.push({ node: part, messageId: 'guard' });
          const called = checker.getResolvedSignature(part)?.declaration;
          const file = called?.getSourceFile().fileName ?? '';
          if (called && /\/app\//.test(file) && !checksIdentity(file))
            faults.push(...faultsIn(called, seen, depth + 1));
        }
        if (isOfVisitor(part)) faults.push({ node: part, messageId: 'reads' });
        ts.forEachChild(part, visit);
      };
      ts.forEachChild(found, visit);
      return faults;
    }

    /** @param {ts.Node} node */
    function isOfVisitor(node) {
      if (!ts.isPropertyAccessExpression(node)) return false;
      const { name, expression, parent } = node;
      if (name.text === 'headers' && isRequest(checker.getTypeAtLocation(expression))) {
        // Which part of a file is wanted.
        const call = ts.isPropertyAccessExpression(parent) && parent.parent;
        const asked = call && ts.isCallExpression(call) && call.arguments[0]?.getText();
        return !/^['"`](if-)?range['"`]$/i.test(asked || '');
      }
      return (
        ofVisitor.has(name.text) && /Context$/.test(nameOf(checker.getTypeAtLocation(expression)))
      );
    }

    /** @param {ts.Type} type */
    function nameOf(type) {
      return (type.aliasSymbol ?? type.symbol)?.name ?? '';
    }

    /** What a loader resolves to. @param {ts.Node} loader */
    function dataOf(loader) {
      const [signature] = checker.getTypeAtLocation(loader).getCallSignatures();
      const type = signature && checker.getReturnTypeOfSignature(signature);
      return type && (checker.getAwaitedType(type) ?? type);
    }

    /** @param {ts.Type | undefined} type @returns {boolean} */
    function isDeferred(type, depth = 0) {
      if (!type || depth > deepest) return false;
      return partsOf(type).some((part) => {
        if (/^(Response|Headers|Date|ResponseInit)$/.test(nameOf(part))) return false;
        if (part.getProperty('then')) return true;
        const items = checker.getIndexTypeOfType(part, ts.IndexKind.Number);
        if (items) return isDeferred(items, depth + 1);
        return (
          Boolean(part.flags & ts.TypeFlags.Object) &&
          part.getCallSignatures().length === 0 &&
          part
            .getProperties()
            .some((property) => isDeferred(checker.getTypeOfSymbol(property), depth + 1))
        );
      });
    }
  },
};
