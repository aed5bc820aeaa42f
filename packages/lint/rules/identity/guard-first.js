/** W09: in a route that needs a guard, each loader and action calls it before anything else, and asks for the role that its handle names. */
import * as ts from 'typescript';
import { faultBeforeGuard } from '../../analysis/before-guard.js';
import { typesOf } from '../../analysis/types.js';
import { has } from '../../analysis/site-files.js';

/** What to write instead, for the identity that the route's access requires. */
const ofPlatform = {
  guard:
    '`const { user, sdk } = await requirePlatformSdk({ request, context })` or `await checkPlatformUser(context)` of app/platform.server.ts',
  check:
    '`const guard = await checkPlatformUser(context); if (!guard.ok) return guardFailureResponse(guard);`, of app/platform.server.ts and `@gatehouse/platform/server`',
};
const ofAccounts = {
  guard:
    '`const { account, db } = await requireAccount({ request, context })` of app/accounts.server.ts',
  check:
    '`const guard = await checkAccount({ request, context }); if (!guard.ok) return accountFailureResponse(guard);`, of app/accounts.server.ts and `@gatehouse/accounts`',
};

/** A site without the platform's guard has routes for its own accounts only. */
const hasPlatform = has('app/platform.server.ts');
const standardAccess = hasPlatform ? 'platform' : 'account';
const platformGuard = hasPlatform
  ? ofPlatform
  : { ...ofAccounts, guard: `${ofAccounts.guard}, and declare \`access: 'account'\`` };

/**
 * Each guard, the access for which it is needed, and the advice.
 * @type {['platform' | 'accounts', string[], typeof ofPlatform][]}
 */
const needed = [
  ['platform', ['platform', 'both'], platformGuard],
  ['accounts', ['account', 'both'], ofAccounts],
];

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      missing:
        "`{{name}}` can finish without calling the guard that the route's access, '{{access}}', requires. Begin with {{guard}}, or declare `access: 'none'` in `handle` (app/route-handle.ts).",
      reads:
        '`{{name}}` uses `{{what}}` before the guard has passed: until then, read only `request.method` and `request.url`. Begin with {{guard}}.',
      works:
        '`{{what}}` runs in `{{name}}` before the guard has passed: a signed-out visitor could trigger it. Begin with {{guard}}.',
      responds:
        '`{{name}}` responds before the guard has passed. Until then, return only an error response or a redirect, such as `refusal(405, …)` of `@gatehouse/frame/server`. Begin with {{guard}}.',
      ignored: 'The guard may have failed, and nothing checks its result. Write {{check}}.',
      role: "The route's `handle` names the role '{{role}}', and this guard does not ask for it: any account passes, or one with another role. Write `{{name}}(args, { role: '{{role}}' })`.",
    },
  },
  create(context) {
    const { checker, tsNode, textOf } = typesOf(context);
    /** @type {string | undefined} */
    let role;
    return {
      Program(program) {
        const source = tsNode(program);
        const module = checker.getSymbolAtLocation(source);
        if (!module) return;
        const exported = new Map(
          checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]),
        );
        const access = writtenIn(exported.get('handle'), 'access') ?? standardAccess;
        role = writtenIn(exported.get('handle'), 'role');
        if (access === 'none' || access === 'machine') return;
        for (const name of ['loader', 'action']) {
          const symbol = exported.get(name);
          const declaration = symbol && resolved(symbol).valueDeclaration;
          if (!declaration) continue;
          const [fault, advice] = faultOf(declaration, access);
          if (!fault) continue;
          const { messageId, what = '' } = fault;
          const own = [fault.node, symbol?.declarations?.[0]].find(
            (node) => node?.getSourceFile() === source,
          );
          context.report({
            loc: own ? locOf(own) : { line: 1, column: 0 },
            messageId,
            data: { name, what, access, ...advice },
          });
        }
      },
      // A route without a role may still ask for one, as where one of its forms is for some accounts only.
      CallExpression(/** @type {any} */ { callee, arguments: [, asked] }) {
        if (role === undefined || !/^requireAccount(Form)?$/.test(callee.name)) return;
        const given = asked?.properties?.find(
          (/** @type {any} */ property) => property.key?.name === 'role',
        );
        // What is not written here is for the proof to find out.
        const isUnknown = asked && (given ? textOf(given.value) === undefined : !asked.properties);
        if (isUnknown || (given && textOf(given.value) === role)) return;
        context.report({ node: callee, messageId: 'role', data: { role, name: callee.name } });
      },
    };

    /**
     * @param {import('typescript').Node} declaration
     * @param {string} access
     * @returns {[import('../../analysis/before-guard.js').Fault | undefined, typeof ofPlatform]}
     */
    function faultOf(declaration, access) {
      for (const [kind, accesses, advice] of needed) {
        const fault = accesses.includes(access) && faultBeforeGuard(declaration, checker, kind);
        if (fault) return [fault, advice];
      }
      return [undefined, ofPlatform];
    }

    /** @param {import('typescript').Node} node */
    function locOf(node) {
      const named = messageNode(node);
      return {
        start: context.sourceCode.getLocFromIndex(named.getStart()),
        end: context.sourceCode.getLocFromIndex(named.getEnd()),
      };
    }

    /** @param {import('typescript').Symbol} symbol */
    function resolved(symbol) {
      return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    }

    /**
     * The text of a property of the route's handle, as it is written: the type of `handle` may be wider.
     * @param {import('typescript').Symbol | undefined} symbol
     * @param {string} name
     */
    function writtenIn(symbol, name) {
      const declaration = symbol && resolved(symbol).valueDeclaration;
      const handle =
        declaration && ts.isVariableDeclaration(declaration) && declaration.initializer;
      const property = handle && checker.getTypeAtLocation(handle).getProperty(name);
      if (!property) return undefined;
      const written = property.valueDeclaration;
      const type =
        written && ts.isPropertyAssignment(written)
          ? checker.getTypeAtLocation(written.initializer)
          : checker.getTypeOfSymbol(property);
      return type.isStringLiteral() ? type.value : undefined;
    }
  },
};

/**
 * The part of a fault's node to report: a function's name rather than its whole body.
 * @param {any} node
 */
function messageNode(node) {
  return (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && node.name
    ? node.name
    : node;
}
