/** Walks a loader or an action in the order in which it runs, until its guard has passed. */
import * as ts from 'typescript';
import { functionOf, wrapperOf } from './functions.js';
import { checksIdentity, isGuard, isGuardOf, isRequest } from './guards.js';
import { isLogical, isSdkError, mayHaveFailed, Nodes } from './nodes.js';
import { isRefusal } from './refusals.js';
import { Results } from './results.js';
import { partsOf } from './types.js';

/**
 * @typedef {object} Fault
 * @property {ts.Node} node
 * @property {'missing' | 'reads' | 'works' | 'responds' | 'ignored'} messageId
 * @property {string} [what]
 *
 * `called`: the guard's result is there, and nothing has looked at it yet.
 * @typedef {'before' | 'called' | 'passed' | 'ended'} State
 *
 * What awaiting a promise leads to. `asked`: as its type says.
 * @typedef {'called' | 'passed' | 'asked'} Pending
 */

const looked = new Set(['method', 'signal', 'url']);
const deepest = 4;
const empty = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.BooleanLike;
const systemCalls =
  /\/@types\/node\/(fs|child_process|net|tls|http2?|https|dgram|sqlite|worker_threads)\b/;

/**
 * Finds the first fault of a loader or action: what it does too early, or that it calls no guard.
 * @param {ts.Node} node the function, or the expression that gives it
 * @param {ts.TypeChecker} checker
 * @param {'platform' | 'accounts'} kind whose guard counts: any other only runs before it
 * @returns {Fault | undefined}
 */
export function faultBeforeGuard(node, checker, kind) {
  const found = functionOf(node, checker);
  if (!found) return { node, messageId: 'missing' };
  if (takesGuard(found, checker, kind)) return undefined;
  const walk = new Walk(checker, 0, kind);
  const state = walk.run(found);
  if (!walk.fault && (state === 'passed' || state === 'ended')) return undefined;
  // `withSdk((sdk) => …)`: the function that it returns has checked before it calls this one.
  const wrapper = wrapperOf(node, checker);
  if (wrapper && new Walk(checker, 0, kind).run(wrapper) === 'passed') return undefined;
  if (walk.fault) return walk.fault;
  if (state === 'called' && walk.guardCall) return { node: walk.guardCall, messageId: 'ignored' };
  return { node, messageId: 'missing' };
}

/**
 * Whether a parameter carries a guard: then a wrapper has checked before it calls this function.
 * @param {ts.SignatureDeclaration} node
 * @param {ts.TypeChecker} checker
 * @param {'platform' | 'accounts'} kind
 */
function takesGuard(node, checker, kind) {
  return node.parameters.some((parameter) => {
    const type = checker.getTypeAtLocation(parameter);
    const properties = type
      .getProperties()
      .map((property) => checker.getTypeOfSymbolAtLocation(property, parameter));
    return [type, ...properties].some((part) => isGuardOf(part, kind));
  });
}

class Walk extends Nodes {
  /**
   * @param {ts.TypeChecker} checker
   * @param {number} depth how many calls this one is inside of
   * @param {'platform' | 'accounts'} kind
   */
  constructor(checker, depth, kind) {
    super(checker);
    this.depth = depth;
    this.kind = kind;
    /** @type {State} */
    this.state = 'before';
    /** @type {Fault | undefined} */
    this.fault = undefined;
    /**
     * Of the guards that the expression has called so far, awaited or not.
     * @type {Pending | undefined}
     */
    this.pending = undefined;
    /**
     * The same for promises that variables hold.
     * @type {Map<ts.Symbol | undefined, Pending>}
     */
    this.promises = new Map();
    /** Whether a helper returns without the guard, so that its caller has to look at what it returns. */
    this.isLeft = false;
    /**
     * Where its result was awaited.
     * @type {ts.Node | undefined}
     */
    this.guardCall = undefined;
    this.results = new Results(checker);
  }

  get isOver() {
    return this.fault !== undefined || this.state === 'passed' || this.state === 'ended';
  }

  /** @param {any} node @returns {State} */
  run(node) {
    for (const { name, initializer } of node.parameters) {
      this.expression(initializer);
      this.pattern(name);
    }
    if (ts.isBlock(node.body)) this.statements(node.body.statements);
    else this.returned(node.body);
    return this.state;
  }

  /** @param {Iterable<ts.Statement>} list */
  statements(list) {
    for (const statement of list) {
      if (this.isOver) return;
      this.statement(statement);
    }
  }

  /** @param {ts.Statement | undefined} node */
  statement(node) {
    if (!node) return;
    if (ts.isBlock(node)) this.statements(node.statements);
    else if (ts.isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations) {
        this.keeping(name, initializer);
        this.pattern(name);
      }
    } else if (ts.isExpressionStatement(node)) {
      this.expression(node.expression);
    } else if (ts.isIfStatement(node)) {
      this.handedOn(node.expression);
      // A line in the log decides nothing.
      const ways = [node.thenStatement, node.elseStatement];
      if (this.state === 'passed' && ways.every((way) => this.onlyNotes(way)))
        this.state = 'called';
      // Only an operation of the SDK throws this, after the guard.
      const refused = isSdkError(node.expression);
      this.branches(
        ways.map((way, index) => () => {
          if (refused === (index === 0)) this.state = 'passed';
          else this.statement(way);
        }),
      );
    } else if (ts.isReturnStatement(node)) this.returned(node.expression);
    else if (ts.isThrowStatement(node)) {
      this.expression(node.expression);
      if (!this.isOver) this.state = 'ended';
    } else if (ts.isTryStatement(node)) {
      const { tryBlock, catchClause, finallyBlock } = node;
      this.branches([
        () => this.statement(tryBlock),
        ...(catchClause ? [() => this.statement(catchClause.block)] : []),
      ]);
      this.statement(finallyBlock);
    } else if (ts.isSwitchStatement(node)) {
      this.handedOn(node.expression);
      const { clauses } = node.caseBlock;
      const hasDefault = clauses.some(ts.isDefaultClause);
      this.branches([
        ...clauses
          .filter(({ statements }) => statements.length > 0)
          .map(
            ({ statements }) =>
              () =>
                this.statements(statements),
          ),
        ...(hasDefault ? [] : [() => undefined]),
      ]);
    } else if (ts.isForOfStatement(node) || ts.isForInStatement(node)) {
      if ('awaitModifier' in node && node.awaitModifier)
        this.report(node.expression, 'works', node.expression.getText());
      this.expression(node.expression);
      this.branches([() => this.statement(node.statement), () => undefined]);
    } else if (ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
      ts.forEachChild(node, (child) => {
        if (child !== node.statement) this.handedOn(child);
      });
      this.branches([() => this.statement(node.statement), () => undefined]);
    }
  }

  /**
   * Alternative branches, of which one runs: the guard has passed if every branch that continues has passed
   * it.
   * @param {(() => void)[]} ways
   */
  branches(ways) {
    if (this.isOver) return;
    const { state } = this;
    const ends = ways.map((way) => {
      this.state = state;
      way();
      return this.state;
    });
    const open = ends.filter((end) => end !== 'ended');
    this.state =
      open.length === 0
        ? 'ended'
        : open.includes('before')
          ? 'before'
          : open.includes('called')
            ? 'called'
            : 'passed';
  }

  /**
   * A returned value: anything after the guard, but only a refusal before it.
   * @param {ts.Expression | undefined} node
   */
  returned(node) {
    this.pending = undefined;
    this.handedOn(node);
    if (node && this.pending && this.isPromise(node)) this.settle(node, this.awaitedType(node));
    if (this.isOver) return;
    const isFault = this.depth === 0 && node && !isRefusal(node, this.checker);
    if (this.state === 'called' && this.guardCall) {
      if (isFault) this.report(this.guardCall, 'ignored');
      this.state = 'ended';
      return;
    }
    if (isFault) this.report(node, 'responds');
    this.isLeft = true;
    this.state = this.depth === 0 && !node ? 'before' : 'ended';
  }

  /**
   * An expression whose value goes to a condition, a function or the caller: a guard's result in it is looked at.
   * @param {ts.Node | undefined} node
   */
  handedOn(node) {
    const { state } = this;
    this.expression(node);
    if (this.state !== 'called' || !node) return;
    if (state === 'before' || this.results.areIn(node)) this.state = 'passed';
  }

  /**
   * A variable, which may hold the guard's result from here on.
   * @param {ts.BindingName | ts.Expression} name
   * @param {ts.Expression | undefined} value
   */
  keeping(name, value) {
    const { state } = this;
    this.pending = undefined;
    this.expression(value);
    if (this.pending) this.promises.set(this.checker.getSymbolAtLocation(name), this.pending);
    if (this.state !== 'called' || !value) return;
    if (state === 'before' || this.results.areIn(value)) this.results.add(name);
  }

  /** @param {ts.Node | undefined} node @returns {void} */
  expression(node) {
    if (!node || this.isOver || ts.isFunctionLike(node)) return;
    if (ts.isAwaitExpression(node)) return this.awaited(node);
    if (ts.isConditionalExpression(node)) {
      this.handedOn(node.condition);
      return this.branches([
        () => this.expression(node.whenTrue),
        () => this.expression(node.whenFalse),
      ]);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      this.keeping(node.left, node.right);
      return;
    }
    if (ts.isBinaryExpression(node) && isLogical(node.operatorToken.kind)) {
      this.handedOn(node.left);
      return this.branches([() => this.expression(node.right), () => undefined]);
    }
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      this.expression(node.expression);
      const name = ts.isPropertyAccessExpression(node)
        ? node.name.text
        : node.argumentExpression.getText().slice(1, -1);
      if (this.isRequest(node.expression) && !looked.has(name)) {
        this.report(node, 'reads', node.getText());
      }
      return;
    }
    if (ts.isCallExpression(node)) return this.call(node);
    if (ts.isNewExpression(node) && node.arguments?.some((argument) => this.isRequest(argument))) {
      return this.report(node, 'reads', node.getText());
    }
    if (ts.isNewExpression(node)) {
      for (const argument of node.arguments ?? []) this.handedOn(argument);
      const { declaration, isOwn } = this.calledBy(node);
      if (isOwn) this.inside(declaration, node);
      else this.callbacks(node);
      return;
    }
    ts.forEachChild(node, (child) => this.expression(child));
    if (ts.isTaggedTemplateExpression(node) && this.isPromise(node))
      this.report(node, 'works', node.tag.getText());
  }

  /** @param {ts.AwaitExpression} node */
  awaited(node) {
    const { expression } = node;
    this.pending = undefined;
    this.expression(expression);
    if (this.isOver) return;
    if (ts.isIdentifier(expression))
      this.pending = this.promises.get(this.checker.getSymbolAtLocation(expression));
    const type = this.checker.getTypeAtLocation(node);
    if (this.pending || this.isOwnGuard(type)) this.settle(node, type);
    else if (isGuard(type)) return;
    else if (this.isCallOfParameter(expression)) return;
    else if (this.state === 'before') this.report(node, 'works', node.getText());
  }

  /**
   * The guard's result is there. One that may have failed has still to be looked at.
   * @param {ts.Node} node
   * @param {ts.Type} type
   */
  settle(node, type) {
    const { pending } = this;
    const isOpen =
      pending === 'called' || (pending !== 'passed' && mayHaveFailed(type, this.checker));
    this.state = isOpen ? 'called' : 'passed';
    this.guardCall = node;
    this.pending = undefined;
  }

  /** @param {ts.CallExpression} node */
  call(node) {
    const callee = node.expression;
    const before = this.pending;
    this.pending = undefined;
    this.called(node, callee, ts.isPropertyAccessExpression(callee) ? callee.name.text : '');
    this.pending = before === 'called' ? before : (this.pending ?? before);
  }

  /** @param {ts.CallExpression} node @param {ts.Expression} callee @param {string} member */
  called(node, callee, member) {
    this.expression(callee);
    if (this.pending && member === 'then') return this.then(node);
    if (this.depth > 0 && this.isParameter(callee)) return;
    const { declaration, isOwn, file } = this.calledBy(node);
    if (this.isGuardCall(node)) {
      if (isOwn && !checksIdentity(file)) {
        this.inside(declaration, node);
        for (const argument of node.arguments) {
          if (ts.isFunctionLike(argument)) this.inside(argument, node);
        }
      }
      this.pending = 'asked';
      return;
    }
    if (isGuard(this.awaitedType(node))) return;
    // It throws what is not an error of the SDK.
    if (declaration?.name?.getText() === 'refusalIn' && checksIdentity(file)) {
      this.state = 'passed';
      return;
    }
    // A function that returns nothing, such as a logger, decides nothing.
    const decides = isOwn || !this.returnsNothing(node);
    for (const argument of node.arguments) {
      if (decides) this.handedOn(argument);
      else this.expression(argument);
    }
    // `Promise.all([checkPlatformUser(context)])` counts as the guard, too.
    if (this.pending && /^(allSettled|catch)$/.test(member) && !this.isAsSure(node, callee))
      this.pending = 'called';
    if (/^(any|race)$/.test(member)) this.pending = undefined;
    if (this.isOver) return;
    const name = callee.getText();
    const ofRequest =
      this.isOfRequest(callee) || node.arguments.some((argument) => this.isRequest(argument));
    // A form is read before a failed guard’s response, so that the response can return what was typed.
    if (this.state === 'called' && ofRequest) return;
    if (isOwn) this.pending = this.inside(declaration, node) ?? this.pending;
    else this.callbacks(node);
    if (this.isPromise(node) && !this.pending) this.report(node, 'works', name);
    else if (isOwn) return;
    else if (node.arguments.some((argument) => this.carriesRequest(argument)))
      this.report(node, 'reads', name);
    else if (systemCalls.test(file)) this.report(node, 'works', name);
  }

  /**
   * `requirePlatformUser(args).then((guard) => …)`: the callback runs after the guard, and what follows it does not.
   * @param {ts.CallExpression} node
   */
  then(node) {
    const { state } = this;
    const { expression } = /** @type {ts.PropertyAccessExpression} */ (node.expression);
    this.settle(node, this.awaitedType(expression));
    const [then, otherwise] = node.arguments;
    if (this.state === 'called' && then) {
      if (!ts.isArrowFunction(then) && !ts.isFunctionExpression(then)) this.state = 'passed';
      else {
        for (const parameter of then.parameters) this.results.add(parameter.name);
        this.run(then);
      }
    }
    this.pending = this.state === 'called' || otherwise ? 'called' : 'passed';
    this.state = state;
  }

  /**
   * Whether the handler of `catch` only throws.
   * @param {ts.CallExpression} node
   * @param {ts.Expression} callee
   */
  isAsSure(node, callee) {
    if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'catch') return false;
    return this.awaitedType(node) === this.awaitedType(callee.expression);
  }

  /**
   * `ids.map((id) => …)`: what other code is given to run.
   * @param {ts.CallExpression | ts.NewExpression} node
   */
  callbacks(node) {
    for (const argument of node.arguments ?? []) {
      if (ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))
        this.inside(argument, node);
    }
  }

  /**
   * Walks a function of the project. A fault in it is reported at its call.
   * @param {any} declaration
   * @param {ts.CallExpression | ts.NewExpression} call
   * @returns {Pending | undefined} what awaiting it leads to, if it calls the guard
   */
  inside(declaration, call) {
    if (this.depth >= deepest) return undefined;
    const walk = new Walk(this.checker, this.depth + 1, this.kind);
    walk.state = this.state;
    const state = walk.run(declaration);
    const { fault, guardCall } = walk;
    if (fault) this.report(call, fault.messageId, fault.what ?? call.expression.getText());
    if (fault || !guardCall) return undefined;
    const isOpen = walk.isLeft || state === 'before' || state === 'called';
    const mayBeNothing = partsOf(this.awaitedType(call)).some(({ flags }) => flags & empty);
    return isOpen || mayBeNothing ? 'called' : 'passed';
  }

  /**
   * Reports what a destructuring pattern reads from the request.
   * @param {ts.BindingName} name
   */
  pattern(name) {
    if (!ts.isObjectBindingPattern(name) || this.fault) return;
    const ofRequest = isRequest(this.checker.getTypeAtLocation(name));
    for (const element of name.elements) {
      this.expression(element.initializer);
      const property = (element.propertyName ?? element.name).getText();
      if (ofRequest && !looked.has(property)) this.report(element, 'reads', `request.${property}`);
      else this.pattern(element.name);
    }
  }

  /** @param {ts.Node} node @param {Fault['messageId']} messageId @param {string} [what] */
  report(node, messageId, what) {
    if (messageId === 'reads' && this.state === 'called') return;
    this.fault ??= {
      node,
      messageId,
      ...(what && { what: what.replaceAll(/\s+/g, ' ').slice(0, 60) }),
    };
  }

  /** @param {ts.Node} node */
  isGuardCall(node) {
    return this.isOwnGuard(this.awaitedType(node));
  }

  /** @param {ts.Type} type */
  isOwnGuard(type) {
    return isGuardOf(type, this.kind);
  }

  /**
   * Whether a helper calls a function that it was given, which was checked where it was given.
   * @param {ts.Node} node
   */
  isCallOfParameter(node) {
    return this.depth > 0 && ts.isCallExpression(node) && this.isParameter(node.expression);
  }

  /** @param {ts.Statement | undefined} node @returns {boolean} */
  onlyNotes(node) {
    if (!node) return true;
    if (ts.isBlock(node)) return node.statements.every((statement) => this.onlyNotes(statement));
    return (
      ts.isExpressionStatement(node) &&
      ts.isCallExpression(node.expression) &&
      !this.calledBy(node.expression).isOwn &&
      this.returnsNothing(node.expression)
    );
  }
}
