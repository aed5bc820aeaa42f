/** Walks a loader or an action in the order in which it runs, until its guard has passed. */
import * as ts from 'typescript';
import { functionOf } from './functions.js';
import { checksIdentity, isFailedGuard, isGuard, isGuardOf, isRequest } from './guards.js';
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
 */

const looked = new Set(['method', 'signal', 'url']);
const deepest = 4;
const empty = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
const systemCalls =
  /\/@types\/node\/(fs|child_process|net|tls|http2?|https|dgram|sqlite|worker_threads)\b/;

/**
 * Finds the first fault of a loader or action: what it does too early, or that it calls no guard.
 * @param {ts.Node} node the function, or the expression that gives it
 * @param {ts.TypeChecker} checker
 * @param {'platform' | 'accounts'} [kind] whose guard counts, in a route that needs both: any other only runs before it
 * @returns {Fault | undefined}
 */
export function faultBeforeGuard(node, checker, kind) {
  const found = functionOf(node, checker);
  if (!found) return { node, messageId: 'missing' };
  if (takesGuard(found, checker)) return undefined;
  const walk = new Walk(checker, 0, kind);
  const state = walk.run(found);
  if (walk.fault) return walk.fault;
  if (state === 'called' && walk.guardCall) return { node: walk.guardCall, messageId: 'ignored' };
  return state === 'before' ? { node, messageId: 'missing' } : undefined;
}

/**
 * Whether a parameter carries a guard: then a wrapper has checked before it calls this function.
 * @param {ts.SignatureDeclaration} node
 * @param {ts.TypeChecker} checker
 */
function takesGuard(node, checker) {
  return node.parameters.some((parameter) => {
    const type = checker.getTypeAtLocation(parameter);
    return (
      isGuard(type) ||
      type
        .getProperties()
        .some((property) => isGuard(checker.getTypeOfSymbolAtLocation(property, parameter)))
    );
  });
}

class Walk {
  /**
   * @param {ts.TypeChecker} checker
   * @param {number} depth how many calls this one is inside of
   * @param {'platform' | 'accounts'} [kind]
   */
  constructor(checker, depth, kind) {
    this.checker = checker;
    this.depth = depth;
    this.kind = kind;
    /** @type {State} */
    this.state = 'before';
    /** @type {Fault | undefined} */
    this.fault = undefined;
    /** Whether a guard was called, awaited or not. */
    this.isCalled = false;
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
    for (const parameter of node.parameters) this.pattern(parameter.name);
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
      this.branches([
        () => this.statement(node.thenStatement),
        () => this.statement(node.elseStatement),
      ]);
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
        this.tell(node.expression, 'works', node.expression.getText());
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
    this.handedOn(node);
    if (this.isOver) return;
    const isFault = this.depth === 0 && node && !isRefusal(node, this.checker);
    if (this.state === 'called' && this.guardCall) {
      if (isFault) this.tell(this.guardCall, 'ignored');
      this.state = 'ended';
      return;
    }
    if (isFault) this.tell(node, 'responds');
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
    this.expression(value);
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
        this.tell(node, 'reads', node.getText());
      }
      return;
    }
    if (ts.isCallExpression(node)) return this.call(node);
    if (ts.isNewExpression(node) && node.arguments?.some((argument) => this.isRequest(argument))) {
      return this.tell(node, 'reads', node.getText());
    }
    if (ts.isNewExpression(node)) {
      for (const argument of node.arguments ?? []) this.handedOn(argument);
      return;
    }
    ts.forEachChild(node, (child) => this.expression(child));
    if (ts.isTaggedTemplateExpression(node) && this.isPromise(node))
      this.tell(node, 'works', node.tag.getText());
  }

  /** @param {ts.AwaitExpression} node */
  awaited(node) {
    this.isCalled = false;
    this.expression(node.expression);
    if (this.isOver) return;
    const type = this.checker.getTypeAtLocation(node);
    if (this.isCalled || this.isOwnGuard(type)) this.pass(node, type);
    else if (isGuard(type)) return;
    else if (this.isCallOfParameter(node.expression)) return;
    else if (this.state === 'before') this.tell(node, 'works', node.getText());
  }

  /**
   * The guard's result is there. One that may have failed has still to be looked at.
   * @param {ts.Node} node
   * @param {ts.Type} type
   */
  pass(node, type) {
    this.state = mayHaveFailed(type, this.checker) ? 'called' : 'passed';
    this.guardCall = node;
  }

  /** @param {ts.CallExpression} node */
  call(node) {
    const callee = node.expression;
    // `requirePlatformUser(args).then((guard) => …)`: the callback runs after the guard.
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'then') {
      this.isCalled = false;
      this.expression(callee.expression);
      if (!this.isCalled || this.isOver) return;
      this.pass(node, this.awaitedType(callee.expression));
      const [then] = node.arguments;
      if (this.state !== 'called' || !then) return;
      if (!ts.isArrowFunction(then) && !ts.isFunctionExpression(then)) this.state = 'passed';
      else {
        for (const parameter of then.parameters) this.results.add(parameter.name);
        this.run(then);
      }
      return;
    }
    this.expression(callee);
    if (this.depth > 0 && this.isParameter(callee)) return;
    const declaration = /** @type {any} */ (this.checker.getResolvedSignature(node)?.declaration);
    const file = declaration?.getSourceFile().fileName ?? '';
    const isOwn = declaration?.body && !file.includes('/node_modules/');
    if (this.isGuardCall(node)) {
      if (isOwn && !checksIdentity(file)) {
        this.inside(declaration, node);
        for (const argument of node.arguments) {
          if (ts.isFunctionLike(argument)) this.inside(argument, node);
        }
      }
      this.isCalled = true;
      return;
    }
    if (isGuard(this.awaitedType(node))) return;
    const wasCalled = this.isCalled;
    this.isCalled = false;
    // A function that returns nothing, such as a logger, decides nothing.
    const decides = isOwn || !this.returnsNothing(node);
    for (const argument of node.arguments) {
      if (decides) this.handedOn(argument);
      else this.expression(argument);
    }
    // `Promise.all([checkPlatformUser(context)])` counts as the guard, too.
    const isOfGuard = this.isCalled;
    this.isCalled ||= wasCalled;
    if (this.isOver) return;
    const name = callee.getText();
    const ofRequest =
      this.isOfRequest(callee) || node.arguments.some((argument) => this.isRequest(argument));
    // A form is read before a failed guard’s response, so that the response can return what was typed.
    if (this.state === 'called' && ofRequest) return;
    if (isOwn) this.inside(declaration, node);
    if (this.isPromise(node) && !isOfGuard) this.tell(node, 'works', name);
    else if (isOwn) return;
    else if (node.arguments.some((argument) => this.carriesRequest(argument)))
      this.tell(node, 'reads', name);
    else if (systemCalls.test(file)) this.tell(node, 'works', name);
  }

  /**
   * Walks a function of the project. A fault in it is reported at its call.
   * @param {any} declaration
   * @param {ts.CallExpression} call
   */
  inside(declaration, call) {
    if (this.depth >= deepest) return;
    const walk = new Walk(this.checker, this.depth + 1, this.kind);
    walk.state = this.state;
    walk.run(declaration);
    const { fault } = walk;
    if (fault) this.tell(call, fault.messageId, fault.what ?? call.expression.getText());
  }

  /**
   * Reports what a destructuring pattern reads from the request.
   * @param {ts.BindingName} name
   */
  pattern(name) {
    if (!ts.isObjectBindingPattern(name) || this.fault) return;
    const ofRequest = isRequest(this.checker.getTypeAtLocation(name));
    for (const element of name.elements) {
      const property = (element.propertyName ?? element.name).getText();
      if (ofRequest && !looked.has(property)) this.tell(element, 'reads', `request.${property}`);
      else this.pattern(element.name);
    }
  }

  /** @param {ts.Node} node @param {Fault['messageId']} messageId @param {string} [what] */
  tell(node, messageId, what) {
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
    return this.kind ? isGuardOf(type, this.kind) : isGuard(type);
  }

  /**
   * Whether a helper calls a function that it was given, which was checked where it was given.
   * @param {ts.Node} node
   */
  isCallOfParameter(node) {
    return this.depth > 0 && ts.isCallExpression(node) && this.isParameter(node.expression);
  }

  /** @param {ts.Node} node */
  isParameter(node) {
    const declaration = this.checker.getSymbolAtLocation(node)?.valueDeclaration;
    return declaration !== undefined && ts.isParameter(declaration);
  }

  /** @param {ts.Node} node */
  awaitedType(node) {
    const type = this.checker.getTypeAtLocation(node);
    return this.checker.getAwaitedType(type) ?? type;
  }

  /** @param {ts.CallExpression} node */
  returnsNothing(node) {
    const signature = this.checker.getResolvedSignature(node);
    return (
      signature !== undefined &&
      this.checker.getTypePredicateOfSignature(signature) === undefined &&
      (signature.getReturnType().flags & ts.TypeFlags.Void) !== 0
    );
  }

  /**
   * Whether an expression is the request, or is reached from it: `request.formData().catch`.
   * @param {ts.Node} node
   * @returns {boolean}
   */
  isOfRequest(node) {
    if (this.isRequest(node)) return true;
    if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
      return this.isOfRequest(node.expression);
    }
    return false;
  }

  /** @param {ts.Node} node */
  isPromise(node) {
    return partsOf(this.checker.getTypeAtLocation(node)).some((part) => part.getProperty('then'));
  }

  /** @param {ts.Node} node */
  isRequest(node) {
    return isRequest(this.checker.getTypeAtLocation(node));
  }

  /**
   * Whether a value is the request, or an object that contains it, such as a loader's arguments.
   * @param {ts.Node} node
   */
  carriesRequest(node) {
    const type = this.checker.getTypeAtLocation(node);
    const request = type.getProperty('request');
    return isRequest(type) || (request && isRequest(this.checker.getTypeOfSymbol(request)));
  }
}

/**
 * Whether a guard's result may be a failed one: `requirePlatformUser` throws instead, but may be caught.
 * @param {ts.Type} type
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
function mayHaveFailed(type, checker) {
  if (checker.isTupleType(type) || checker.isArrayType(type)) {
    return checker
      .getTypeArguments(/** @type {ts.TypeReference} */ (type))
      .some((part) => isGuard(part) && mayHaveFailed(part, checker));
  }
  if (!isGuard(type)) return false;
  return partsOf(type).some((part) => part.flags & empty || isFailedGuard(part));
}

/** @param {ts.SyntaxKind} kind */
function isLogical(kind) {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}
