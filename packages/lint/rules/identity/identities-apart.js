/** W29: the platform's account and the site's own are separate identities; neither is accepted as the other. */
import * as ts from 'typescript';
import { Results } from '../../analysis/results.js';
import { textsOf } from '../../analysis/texts.js';
import { isDeclared, typesOf } from '../../analysis/types.js';
import { sentences } from '../../analysis/site-files.js';

/** @typedef {'platform' | 'accounts'} Kind */

/** Each identity's code, and the types that describe a person. */
const identities = {
  platform: {
    files: /\/app\/(platform(\.server\.|\/)|shell\/platform\/)|\/(packages|@gatehouse)\/platform\//,
    person: /^(PassedGuard|OpenGuard|SafeProfile|UserState|UserView|PlatformUser)$/,
  },
  accounts: {
    files: /\/app\/accounts(\.server\.|\/)|\/(packages|@gatehouse)\/accounts\//,
    person: /^(Account|AccountState|(Passed|Open)AccountGuard)$/,
  },
};

/** Files whose functions may receive an identity's data: its own, and for site accounts the store's. */
const keepers = {
  platform: identities.platform.files,
  accounts:
    /\/app\/accounts(\.server\.|\/)|\/(packages|@gatehouse)\/(accounts|store)\/|\/node_modules\/kysely\//,
};

const imports = {
  platform: /^(~|\.\.?)(\/[^/]+)*\/platform(\.server)?(\/|$)|^@gatehouse\/platform(\/|$)/,
  accounts: /^(~|\.\.?)(\/[^/]+)*\/accounts(\.server)?(\/|$)|^@gatehouse\/accounts(\/|$)/,
};

/** The session cookie of a site account, which only `@gatehouse/accounts` reads and writes. */
const accountCookie = /^__Host-site-session/;

/** Parts of a guard that say nothing about the person. */
const impersonal = /^(ok|status|code|sdk|db)$/;

const deepest = 6;

/**
 * What `reaches` found of a function, which many calls ask for.
 * @type {WeakMap<object, Map<string, boolean>>}
 */
const reached = new WeakMap();

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      imported:
        'The platform’s accounts and the site’s own are separate: app/accounts.server.ts and app/accounts/ must not import `@gatehouse/platform`, app/platform.server.ts, app/platform/ or app/shell/platform/, nor the reverse. A route may use both.',
      keyed:
        'This passes data of the visitor’s platform account to the site’s own accounts or store. Rows of the store belong to a site account: use the one that `requireAccount({ request, context })` of app/accounts.server.ts returns.',
      passed:
        'This passes data of the visitor’s site account to the platform, which knows only its own accounts. Identify the visitor to it only by the guard that `checkPlatformUser` of app/platform.server.ts returned.',
      cookie: sentences(
        'This is the name of the session cookie of site accounts. Choose another name, as docs/recipes/cookie.md does.',
        'Only `@gatehouse/accounts` may set and read that cookie, for app/accounts.server.ts.',
      ),
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const { sourceCode } = context;
    const file = context.filename.replaceAll('\\', '/');
    /** @type {Kind | undefined} */
    const own = /** @type {const} */ (['platform', 'accounts']).find((kind) =>
      identities[kind].files.test(file),
    );

    return {
      ...imported(({ name, node }) => {
        if (own && imports[other(own)].test(name)) {
          context.report({ node, messageId: 'imported' });
        }
      }),
      'CallExpression, NewExpression, TaggedTemplateExpression'(/** @type {any} */ node) {
        const { arguments: passed = node.quasi?.expressions } = node;
        const declaration = checker.getResolvedSignature(tsNode(node))?.declaration;
        if (!declaration) return;
        for (const [kind, messageId] of /** @type {const} */ ([
          ['accounts', 'keyed'],
          ['platform', 'passed'],
        ])) {
          if (own === kind) continue;
          const given = passed.find(
            (/** @type {any} */ argument, /** @type {number} */ index) =>
              reaches(declaration, index, kind, 0) && tellsOf(tsNode(argument), other(kind), 0),
          );
          if (given) context.report({ node: given, messageId });
        }
      },
      'Literal, TemplateLiteral'(/** @type {any} */ node) {
        if (own === 'accounts' || !/site-session/.test(sourceCode.getText(node))) return;
        if (textsOf(tsNode(node), checker).some(({ start }) => accountCookie.test(start)))
          context.report({ node, messageId: 'cookie' });
      },
    };

    /**
     * Whether a function keeps what it is given at this place, or passes it on to one that does.
     * @param {any} declaration @param {number} index @param {Kind} kind @param {number} depth @returns {boolean}
     */
    function reaches(declaration, index, kind, depth) {
      const known = reached.get(declaration) ?? new Map();
      reached.set(declaration, known);
      const key = [index, kind, depth].join();
      if (!known.has(key)) known.set(key, passesOn(declaration, index, kind, depth));
      return known.get(key);
    }

    /** @param {any} declaration @param {number} index @param {Kind} kind @param {number} depth */
    function passesOn(declaration, index, kind, depth) {
      if (keepers[kind].test(declaration.getSourceFile().fileName)) return true;
      const { body, parameters } = declaration;
      const symbol = parameters?.[index] && checker.getSymbolAtLocation(parameters[index].name);
      if (!body || !symbol || depth > 2) return false;
      const passed = new Results(checker);
      passed.add(parameters[index].name);
      /** @param {ts.Node} node @returns {boolean} */
      const visit = (node) => {
        if (ts.isCallExpression(node)) {
          const inner = checker.getResolvedSignature(node)?.declaration;
          const at = node.arguments.findIndex((argument) => passed.areIn(argument));
          if (inner && at >= 0 && reaches(inner, at, kind, depth + 1)) return true;
        }
        return ts.forEachChild(node, (child) => visit(child) || undefined) === true;
      };
      return visit(body);
    }

    /**
     * Whether a value contains data of a person of this kind, directly or through constants.
     * @param {ts.Node} node @param {Kind} kind @param {number} depth @returns {boolean}
     */
    function tellsOf(node, kind, depth) {
      if (depth > deepest || ts.isTypeNode(node)) return false;
      // A callback runs later, so its body is not part of the value passed.
      if (ts.isFunctionLike(node) && depth === 0) return false;
      if (ts.isPropertyAccessExpression(node) && isPerson(node.expression, kind)) {
        return !impersonal.test(node.name.text);
      }
      if (ts.isIdentifier(node)) return isMadeOf(node, kind, depth);
      return Boolean(ts.forEachChild(node, (child) => tellsOf(child, kind, depth) || undefined));
    }

    /** @param {ts.Node} node @param {Kind} kind */
    function isPerson(node, kind) {
      const { person, files } = identities[kind];
      return isDeclared(checker.getTypeAtLocation(node), person, files);
    }

    /** @param {ts.Identifier} node @param {Kind} kind @param {number} depth @returns {boolean} */
    function isMadeOf(node, kind, depth) {
      const { parent } = node;
      const isName =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node);
      if (isName) return false;
      const symbol = ts.isShorthandPropertyAssignment(parent)
        ? checker.getShorthandAssignmentValueSymbol(parent)
        : checker.getSymbolAtLocation(node);
      const declaration = symbol?.valueDeclaration;
      if (!declaration) return false;
      if (ts.isBindingElement(declaration)) {
        const owner = ts.findAncestor(declaration, ts.isVariableDeclaration);
        const isOfPerson = isPerson(declaration.parent, kind);
        const name = (declaration.propertyName ?? declaration.name).getText();
        if (isOfPerson) return !impersonal.test(name);
        return Boolean(owner?.initializer && tellsOf(owner.initializer, kind, depth + 1));
      }
      return (
        ts.isVariableDeclaration(declaration) &&
        declaration.initializer !== undefined &&
        !isPerson(declaration.initializer, kind) &&
        !ts.isFunctionLike(declaration.initializer) &&
        tellsOf(declaration.initializer, kind, depth + 1)
      );
    }
  },
};

/** @param {Kind} kind @returns {Kind} */
function other(kind) {
  return kind === 'platform' ? 'accounts' : 'platform';
}

/**
 * Types count here, unlike in other rules: even a type in a signature ties one identity to the other.
 * @param {(module: { name: string, node: any }) => void} found
 * @returns {import('eslint').Rule.RuleListener}
 */
function imported(found) {
  const report = (/** @type {any} */ node) => {
    if (typeof node.source?.value === 'string') found({ name: node.source.value, node });
  };
  return {
    ImportDeclaration: report,
    ExportNamedDeclaration: report,
    ExportAllDeclaration: report,
    ImportExpression: report,
    TSImportType: report,
  };
}
