/** Walks a loader or an action in the order in which it runs, until its guard has passed. */
import * as ts from 'typescript';
import { checksIdentity, isFailedGuard, isGuard, isRequest } from './guards.js';
import { returnsOf } from './texts.js';
import { partsOf } from './types.js';

/**
 * @typedef {object} Fault
 * @property {ts.Node} node
 * @property {'missing' | 'reads' | 'works' | 'answers' | 'ignored'} messageId
 * @property {string} [what]
 *
 * @typedef {'before' | 'passed' | 'ended'} State
 */

const looked = new Set(['method', 'url']);
const deepest = 4;
const systemCalls =
  /\/@types\/node\/(fs|child_process|net|tls|http2?|https|dgram|sqlite|worker_threads)\b/;

/**
 * Finds the first fault of a loader or action: what it does too early, or that it calls no guard.
 * @param {ts.Node} node the function, or the expression that gives it
 * @param {ts.TypeChecker} checker
 * @returns {Fault | undefined}
 */
export function faultBeforeGuard(node, checker) {
  const found = functionOf(node, checker);
  if (!found) return { node, messageId: 'missing' };
  if (takesGuard(found, checker)) return undefined;
  const walk = new Walk(checker, 0);
  const state = walk.run(found);
  if (walk.fault) return walk.fault;
  return state === 'before' ? { node, messageId: 'missing' } : undefined;
}

/**
 * The function that an expression gives: a literal, a named one, or one wrapped in a call.
 * @param {ts.Node | undefined} node
 * @param {ts.TypeChecker} checker
 * @returns {any}
 */
function functionOf(node, checker, depth = 0) {
  if (!node || depth > deepest) return undefined;
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node)) {
    return node.body ? node : undefined;
  }
  if (ts.isVariableDeclaration(node)) return functionOf(node.initializer, checker, depth + 1);
  if (ts.isMethodDeclaration(node)) return node;
  if (ts.isPropertyAssignment(node)) return functionOf(node.initializer, checker, depth + 1);
  if (
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node)
  ) {
    return functionOf(node.expression, checker, depth + 1);
  }
  if (ts.isCallExpression(node)) {
    const inner = node.arguments.map((one) => functionOf(one, checker, depth + 1)).find(Boolean);
    return inner ?? returnedFunction(node, checker, depth);
  }
  const symbol = resolved(checker.getSymbolAtLocation(node), checker);
  return functionOf(symbol?.valueDeclaration, checker, depth + 1);
}

/** @param {ts.CallExpression} call @param {ts.TypeChecker} checker @param {number} depth */
function returnedFunction(call, checker, depth) {
  const maker = checker.getResolvedSignature(call)?.declaration;
  if (!maker || !('body' in maker) || !maker.body) return undefined;
  return returnsOf(maker)
    .map((one) => functionOf(one, checker, depth + 1))
    .find(Boolean);
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
      type.getProperties().some((one) => isGuard(checker.getTypeOfSymbolAtLocation(one, parameter)))
    );
  });
}

class Walk {
  /** @param {ts.TypeChecker} checker @param {number} depth how many calls this one is inside of */
  constructor(checker, depth) {
    this.checker = checker;
    this.depth = depth;
    /** @type {State} */
    this.state = 'before';
    /** @type {Fault | undefined} */
    this.fault = undefined;
    /** Whether a guard was called, awaited or not. */
    this.asked = false;
  }

  /** @param {any} node @returns {State} */
  run(node) {
    for (const parameter of node.parameters) this.pattern(parameter.name);
    if (ts.isBlock(node.body)) this.statements(node.body.statements);
    else this.answer(node.body);
    return this.state;
  }

  /** @param {Iterable<ts.Statement>} list */
  statements(list) {
    for (const one of list) {
      if (this.state !== 'before' || this.fault) return;
      this.statement(one);
    }
  }

  /** @param {ts.Statement | undefined} node */
  statement(node) {
    if (!node) return;
    if (ts.isBlock(node)) this.statements(node.statements);
    else if (ts.isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations) {
        this.expression(initializer);
        this.pattern(name);
      }
    } else if (ts.isExpressionStatement(node)) {
      this.expression(node.expression);
      const type = this.checker.getTypeAtLocation(node.expression);
      const isKept = ts.isBinaryExpression(node.expression);
      if (!isKept && isFailedGuard(type)) this.tell(node, 'ignored');
    } else if (ts.isIfStatement(node)) {
      this.expression(node.expression);
      this.branches([
        () => this.statement(node.thenStatement),
        () => this.statement(node.elseStatement),
      ]);
    } else if (ts.isReturnStatement(node)) this.answer(node.expression);
    else if (ts.isThrowStatement(node)) {
      this.expression(node.expression);
      if (this.state === 'before') this.state = 'ended';
    } else if (ts.isTryStatement(node)) {
      const { tryBlock, catchClause, finallyBlock } = node;
      this.branches([
        () => this.statement(tryBlock),
        ...(catchClause ? [() => this.statement(catchClause.block)] : []),
      ]);
      this.statement(finallyBlock);
    } else if (ts.isSwitchStatement(node)) {
      this.expression(node.expression);
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
      if ('awaitModifier' in node && node.awaitModifier) this.tell(node.expression, 'works');
      this.expression(node.expression);
      this.branches([() => this.statement(node.statement), () => undefined]);
    } else if (ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
      ts.forEachChild(node, (child) => {
        if (child !== node.statement) this.expression(child);
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
    if (this.state !== 'before' || this.fault) return;
    const ends = ways.map((way) => this.end(way));
    const open = ends.filter((end) => end !== 'ended');
    this.state = open.length === 0 ? 'ended' : open.includes('before') ? 'before' : 'passed';
  }

  /** @param {() => void} way @returns {State} */
  end(way) {
    this.state = 'before';
    way();
    return this.state;
  }

  /**
   * A returned value: anything after the guard, but only a refusal before it.
   * @param {ts.Expression | undefined} node
   */
  answer(node) {
    this.expression(node);
    if (this.state !== 'before' || this.fault) return;
    if (this.depth === 0 && node && !this.isRefusal(node)) this.tell(node, 'answers');
    this.state = this.depth === 0 && !node ? 'before' : 'ended';
  }

  /** @param {ts.Node | undefined} node @returns {void} */
  expression(node) {
    if (!node || this.state !== 'before' || this.fault || ts.isFunctionLike(node)) return;
    if (ts.isAwaitExpression(node)) return this.awaited(node);
    if (ts.isConditionalExpression(node)) {
      this.expression(node.condition);
      return this.branches([
        () => this.expression(node.whenTrue),
        () => this.expression(node.whenFalse),
      ]);
    }
    if (ts.isBinaryExpression(node) && isLogical(node.operatorToken.kind)) {
      this.expression(node.left);
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
    if (ts.isNewExpression(node) && node.arguments?.some((one) => this.isRequest(one))) {
      return this.tell(node, 'reads', node.getText());
    }
    ts.forEachChild(node, (child) => this.expression(child));
    if (ts.isTaggedTemplateExpression(node) && this.isPromise(node))
      this.tell(node, 'works', node.tag.getText());
  }

  /** @param {ts.AwaitExpression} node */
  awaited(node) {
    this.asked = false;
    this.expression(node.expression);
    if (this.fault || this.state !== 'before') return;
    if (this.asked || isGuard(this.checker.getTypeAtLocation(node))) this.state = 'passed';
    else this.tell(node, 'works', node.getText());
  }

  /** @param {ts.CallExpression} node */
  call(node) {
    const callee = node.expression;
    // `requirePlatformUser(args).then((guard) => …)`: the callback runs after the guard.
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'then') {
      this.asked = false;
      this.expression(callee.expression);
      if (this.asked) this.state = 'passed';
      return;
    }
    this.expression(callee);
    const declaration = /** @type {any} */ (this.checker.getResolvedSignature(node)?.declaration);
    const file = declaration?.getSourceFile().fileName ?? '';
    const isOwn = declaration?.body && !file.includes('/node_modules/');
    if (this.isGuardCall(node)) {
      if (isOwn && !checksIdentity(file)) this.inside(declaration, node);
      this.asked = true;
      return;
    }
    const askedBefore = this.asked;
    this.asked = false;
    for (const argument of node.arguments) this.expression(argument);
    // `Promise.all([checkPlatformUser(context)])` counts as the guard, too.
    const isGuard = this.asked;
    this.asked ||= askedBefore;
    if (this.fault || this.state !== 'before') return;
    const name = callee.getText();
    if (isOwn) this.inside(declaration, node);
    if (this.isPromise(node) && !isGuard) this.tell(node, 'works', name);
    else if (isOwn) return;
    else if (node.arguments.some((one) => this.carriesRequest(one))) this.tell(node, 'reads', name);
    else if (systemCalls.test(file)) this.tell(node, 'works', name);
  }

  /**
   * Walks a function of the project. A fault in it is reported at its call.
   * @param {any} declaration
   * @param {ts.CallExpression} call
   */
  inside(declaration, call) {
    if (this.depth >= deepest) return;
    const walk = new Walk(this.checker, this.depth + 1);
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
    this.fault ??= {
      node,
      messageId,
      ...(what && { what: what.replaceAll(/\s+/g, ' ').slice(0, 60) }),
    };
  }

  /** @param {ts.Expression} node @returns {boolean} */
  isRefusal(node, depth = 0) {
    if (depth > deepest) return false;
    if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) {
      return this.isRefusal(node.expression, depth + 1);
    }
    if (ts.isConditionalExpression(node)) {
      return this.isRefusal(node.whenTrue, depth + 1) && this.isRefusal(node.whenFalse, depth + 1);
    }
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
    const type = this.checker.getTypeAtLocation(node);
    const [sent] =
      type.symbol?.name === 'ApiResponse'
        ? this.checker.getTypeArguments(/** @type {any} */ (type))
        : [];
    if (sent && sent.flags & ts.TypeFlags.Never) return true;
    if (this.checker.getTypeAtLocation(node.expression).aliasSymbol?.name === 'RedirectFunction')
      return true;
    if (node.arguments?.some(refuses)) return true;
    const declaration = /** @type {any} */ (this.checker.getResolvedSignature(node)?.declaration);
    if (!declaration?.body) return false;
    const returned = returnsOf(declaration);
    return returned.length > 0 && returned.every((one) => this.isRefusal(one, depth + 1));
  }

  /** @param {ts.Node} node */
  isGuardCall(node) {
    const type = this.checker.getTypeAtLocation(node);
    return isGuard(this.checker.getAwaitedType(type) ?? type);
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
 * Whether an argument is a status of refusal or redirect: in `refusal(405, …)`, or in `{ status: 405 }`.
 * @param {ts.Node} node
 * @returns {boolean}
 */
function refuses(node) {
  if (ts.isNumericLiteral(node)) return Number(node.text) >= 300 && Number(node.text) < 600;
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (one) =>
        ts.isPropertyAssignment(one) && one.name.getText() === 'status' && refuses(one.initializer),
    )
  );
}

/** @param {ts.SyntaxKind} kind */
function isLogical(kind) {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}

/** @param {ts.Symbol | undefined} symbol @param {ts.TypeChecker} checker */
function resolved(symbol, checker) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
