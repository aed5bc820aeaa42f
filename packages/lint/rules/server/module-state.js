/** A module's state outlives the request, so one visitor's data would reach the next. */
import { importListeners } from '../../analysis/imports.js';
import { memberName } from '../../analysis/targets.js';
import { keepsState, writers, writesArgument } from '../../analysis/state.js';
import { typesOf } from '../../analysis/types.js';
import { sentences } from '../../analysis/site-files.js';

const containers = /^(Array|Map|Set|WeakMap|WeakSet|URLSearchParams|Headers|FormData)$/;
const empty = /^(Map|Set|WeakMap|WeakSet)$/;
const emitters = /^(EventEmitter|EventEmitterAsyncResource|EventTarget|BroadcastChannel)$/;
const emitterPackages =
  /^(mitt|nanoevents|eventemitter2|eventemitter3|emittery|tiny-emitter|tseep|strict-event-emitter)$/;
const caches =
  /^(lru-cache|quick-lru|node-cache|keyv|cachified|@epic-web\/cachified|@isaacs\/ttlcache|p-memoize|mem|memoize|memoizee|moize|micro-memoize|memoize-one|fast-memoize|lodash(-es)?[./]memoize)$/;

const keepElsewhere = [
  'Create it inside a function, or use `useState`.',
  'Keep a visitor’s data at the platform, through an SDK operation (app/platform/).',
  'Keep a visitor’s data in a table, under their account (app/accounts.server.ts, docs/recipes/accounts/account-rows.md).',
];

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      variable: sentences(
        '`{{name}}` is state of the module: it outlives the request and is shared by all visitors.',
        ...keepElsewhere,
      ),
      written: sentences(
        '`{{name}}` belongs to the module and can be written to during a request: it is shared by all visitors.',
        ...keepElsewhere,
      ),
      emitter: sentences(
        '`{{name}}` outlives the request: what one visitor’s request emits reaches the listeners of all visitors.',
        'To follow changes, load the data again with `usePolling` of `@gatehouse/frame/react`.',
        'docs/recipes/platform/background-request.md shows it.',
      ),
      cache: sentences(
        '`{{name}}` caches values across requests, so another visitor may get them.',
        'The guard needs no cache: app/platform.server.ts calls the platform once per request.',
        'The guard needs no cache: `checkAccount` of app/accounts.server.ts queries the store once per request.',
        'For a response that is the same for everybody, use HTTP caching (docs/recipes/public-route.md).',
      ),
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const { sourceCode } = context;
    const reported = new Set();

    /** @param {any} node @param {string} name @param {'variable' | 'written' | 'emitter' | 'cache'} messageId */
    function report(node, name, messageId) {
      if (reported.has(name + messageId)) return;
      reported.add(name + messageId);
      context.report({ node, messageId, data: { name } });
    }

    /**
     * A new emitter, or an object that contains one: by its class, or by that of the project which extends it.
     * @param {any} node
     * @returns {boolean}
     */
    function isEmitter(node) {
      if (node?.type === 'ObjectExpression')
        return node.properties.some((/** @type {any} */ property) => isEmitter(property.value));
      if (node?.type !== 'NewExpression') return false;
      const { symbol } = checker.getTypeAtLocation(tsNode(node));
      const made = /** @type {any} */ (symbol?.valueDeclaration);
      const extended = made?.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '';
      const isOwn = made && !/\/node_modules\/|\.d\.ts$/.test(made.getSourceFile().fileName);
      return emitters.test(symbol?.name ?? '') || (isOwn && emitters.test(extended));
    }

    /** @param {any} node */
    const isContainer = (node) => {
      const type = checker.getApparentType(checker.getTypeAtLocation(tsNode(node)));
      return (
        containers.test(type.symbol?.name ?? '') ||
        (type.getProperty('get') !== undefined && type.getProperty('set') !== undefined)
      );
    };

    /**
     * Whether this use of a variable changes its content.
     * @param {any} identifier
     */
    function isWritten(identifier) {
      let node = identifier;
      let { parent } = node;
      let within = false;
      while (wraps(parent, node)) {
        within ||= parent.type === 'MemberExpression';
        node = parent;
        ({ parent } = node);
      }
      if (
        parent.type === 'CallExpression' &&
        parent.callee === node &&
        node.type !== 'Identifier'
      ) {
        const method = node.type === 'ChainExpression' ? node.expression : node;
        return writers.has(memberName(method) ?? '') && isContainer(method.object);
      }
      if (parent.type === 'CallExpression') {
        const index = parent.arguments.indexOf(node);
        const name = sourceCode.getText(parent.callee);
        if (
          index === 0 &&
          /^(Object\.(assign|defineProperty|setPrototypeOf)|Reflect\.set)$/.test(name)
        )
          return true;
        return index >= 0 && writesArgument(tsNode(parent), index, checker);
      }
      // `[slot.user] = …`, `({ user: slot.user } = …)`, `for (slot.user of …)`
      const isPart =
        parent.type === 'ArrayPattern' ||
        (parent.type === 'Property' && parent.parent.type === 'ObjectPattern') ||
        /^For(Of|In)Statement$/.test(parent.type);
      if (isPart || parent.type === 'AssignmentExpression')
        return within && parent.right !== node && parent.body !== node;
      if (parent.type === 'UpdateExpression') return within;
      return parent.type === 'UnaryExpression' && parent.operator === 'delete' && within;
    }

    /** @param {import('eslint').Scope.Variable} variable */
    function writesOf(variable, depth = 0) {
      for (const { identifier } of variable.references) {
        const node = /** @type {any} */ (identifier);
        if (!inFunction(node)) continue;
        if (isWritten(node)) return true;
        // `const all = posts; all.push(…)`
        const { parent } = node;
        if (depth === 0 && parent.type === 'VariableDeclarator' && parent.init === node) {
          const [alias] = sourceCode.getDeclaredVariables(parent);
          if (alias && writesOf(alias, 1)) return true;
        }
      }
      return false;
    }

    /** @param {import('eslint').Scope.Variable} variable */
    function isFilled({ references }) {
      return references.some(
        ({ identifier }) => !inFunction(identifier) && isWritten(/** @type {any} */ (identifier)),
      );
    }

    return {
      ...importListeners(({ name, node, names }) => {
        const isMemoize = /^lodash(-es)?$/.test(name) && names.includes('memoize');
        if (emitterPackages.test(name)) report(node, name, 'emitter');
        if (caches.test(name) || isMemoize) report(node, isMemoize ? 'memoize' : name, 'cache');
      }),
      'Program > VariableDeclaration, Program > ExportNamedDeclaration > VariableDeclaration'(
        /** @type {any} */ declaration,
      ) {
        if (declaration.declare) return;
        for (const declarator of declaration.declarations) {
          const name = declarator.id.name ?? sourceCode.getText(declarator.id);
          if (declaration.kind !== 'const') report(declarator, name, 'variable');
          else if (isEmitter(declarator.init)) report(declarator, name, 'emitter');
          else if (keepsState(declarator.init && tsNode(declarator.init), checker))
            report(declarator, name, 'variable');
          else {
            const variables = sourceCode.getDeclaredVariables(declarator);
            // An empty container that nothing fills at load can only be meant to be filled later.
            const isToFill =
              isEmpty(declarator.init) &&
              !isReadonly(declarator.id.typeAnnotation) &&
              !variables.some(isFilled);
            if (isToFill || variables.some((variable) => writesOf(variable))) {
              report(declarator, name, 'written');
            }
          }
        }
      },
      // `visits.count += 1`, where `visits` is a function.
      'Program > :matches(FunctionDeclaration, ClassDeclaration), Program > ExportNamedDeclaration > :matches(FunctionDeclaration, ClassDeclaration)'(
        /** @type {any} */ node,
      ) {
        const [own] = sourceCode.getDeclaredVariables(node);
        if (own && own.name === node.id?.name && writesOf(own)) report(node, own.name, 'written');
      },
      'Program > ImportDeclaration'(/** @type {any} */ node) {
        if (!/^[.~]/.test(node.source.value)) return;
        for (const variable of sourceCode.getDeclaredVariables(node)) {
          if (writesOf(variable)) report(node, variable.name, 'written');
        }
      },
      'PropertyDefinition[static=true]'(/** @type {any} */ node) {
        const name = `${node.parent.parent.id?.name ?? ''}.${sourceCode.getText(node.key)}`;
        if (isEmitter(node.value)) report(node, name, 'emitter');
        else if (isEmpty(node.value) || !node.readonly) report(node, name, 'variable');
      },
      'Identifier[name=/^(globalThis|global)$/]'(/** @type {any} */ node) {
        if (isWritten(node)) report(node, sourceCode.getText(node.parent), 'variable');
      },
      'CallExpression > MemberExpression.callee[property.name="memoize"]'(/** @type {any} */ node) {
        if (!inFunction(node)) report(node, sourceCode.getText(node), 'cache');
      },
    };
  },
};

/** @param {any} parent @param {any} node */
function wraps(parent, node) {
  return (
    (parent.type === 'MemberExpression' && parent.object === node) ||
    parent.type === 'TSNonNullExpression' ||
    parent.type === 'TSAsExpression' ||
    parent.type === 'TSSatisfiesExpression' ||
    parent.type === 'ChainExpression'
  );
}

/** @param {any} node */
function inFunction(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (/Function/.test(at.type) && at.parent.type !== 'CallExpression') return true;
    // An inline callback counts as its caller's code: `list.forEach(…)` at module level runs at load.
    if (/Function/.test(at.type) && inFunction(at)) return true;
  }
  return false;
}

/** @param {any} node */
function isEmpty(node) {
  return (
    node?.type === 'NewExpression' &&
    empty.test(node.callee.name ?? '') &&
    node.arguments.length === 0
  );
}

/** @param {any} annotation */
function isReadonly(annotation) {
  const type = annotation?.typeAnnotation;
  return type?.operator === 'readonly' || /^Readonly/.test(type?.typeName?.name ?? '');
}
