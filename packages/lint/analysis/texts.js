/**
 * Evaluates expressions to the beginnings of their texts, through constants, conditions, helpers in other files, and
 * types. Rules about addresses use it, so that they see an address however it is written.
 */
import * as ts from 'typescript';
import { isRequest } from './guards.js';

/**
 * @typedef {object} Text
 * @property {string} start its known beginning
 * @property {boolean} open whether something unknown follows
 * @property {boolean} [trusted] a helper of the boundary made it, or it is a prop, which is checked at the caller
 */

/** @type {Text} */
const unknown = { start: '', open: true };
/** A result of `encodeURIComponent`, which has no slash and no colon. */
const encoded = { start: '_', open: true };
const number = { start: '0', open: false };

/** With more combinations than this, a text counts as unknown. */
const most = 32;
const deepest = 12;

/** Files whose functions make addresses that are trusted: of this site, or allowed to leave it. */
const helpers = /\/app\/external\//;

/** A package's file, whether it is its source or, installed, its declarations. */
const inPackage = /\/(?:packages|@gatehouse)\/(frame|platform)\//;

/**
 * Packages' functions that make trusted addresses, with the beginnings of these.
 * @type {Readonly<Record<string, string>>}
 */
const packageHelpers = {
  'frame requestedPath': '',
  'frame returnPathOf': '',
  'frame safeReturnPath': '',
  'platform loginAddress': '/__auth/login',
  'platform logoutAddress': '/__auth/logout',
};

/** Where the global `location` and that of `window` and `document` are declared. */
const browserTypes = /\/lib\.dom\.d\.ts$/;

/** Props that are addresses: a component's own is checked where the component is used. */
const addressProps = new Set(['to', 'href', 'action', 'formAction', 'src']);

/**
 * @param {ts.Node} node an expression
 * @param {ts.TypeChecker} checker
 * @returns {Text[]} one for each value it may have
 */
export function textsOf(node, checker) {
  return new Reader(checker).read(node, new Map(), 0);
}

/** @param {Text} text @param {RegExp} beginning */
export function mayBegin(text, beginning) {
  return beginning.test(text.open ? text.start : text.start + '\0');
}

/**
 * Whether an address certainly stays on this site.
 * @param {Text} text
 */
export function staysHere({ start, open, trusted }) {
  if (trusted) return true;
  if (leaves(start)) return false;
  if (!open) return true;
  return /^([/]?[^/\\a-z]|\/[^/\\]|\.\.?\/)/i.test(start) || /^[a-z][\w+.-]*[/?#]/i.test(start);
}

/** @param {string} start */
export function leaves(start) {
  return /^\s*([a-z][a-z0-9+.-]*:|[/\\]\s*[/\\])/i.test(start);
}

/** @typedef {Map<ts.Symbol, Text[]>} Arguments */

class Reader {
  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /**
   * @param {ts.Node | undefined} node
   * @param {Arguments} given the texts of the parameters, inside a helper
   * @param {number} depth
   * @returns {Text[]}
   */
  read(node, given, depth) {
    if (!node || depth > deepest) return [unknown];
    const texts = this.readForm(node, given, depth + 1);
    return texts.length > most ? [unknown] : texts;
  }

  /** @param {ts.Node} node @param {Arguments} given @param {number} depth @returns {Text[]} */
  readForm(node, given, depth) {
    const read = (/** @type {ts.Node | undefined} */ expression) =>
      this.read(expression, given, depth);
    if (ts.isStringLiteralLike(node)) return [{ start: node.text, open: false }];
    if (ts.isNumericLiteral(node) || ts.isPrefixUnaryExpression(node)) return [number];
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    ) {
      return read(node.expression);
    }
    if (ts.isConditionalExpression(node)) return [...read(node.whenTrue), ...read(node.whenFalse)];
    if (ts.isTemplateExpression(node)) {
      return node.templateSpans.reduce(
        (texts, span) =>
          joined(texts, this.readPart(span.expression, given, depth), [
            { start: span.literal.text, open: false },
          ]),
        /** @type {Text[]} */ ([{ start: node.head.text, open: false }]),
      );
    }
    if (ts.isBinaryExpression(node)) return this.readBinary(node, given, depth);
    if (isNothing(node)) return [];
    const literal = this.literalsOf(node);
    if (literal) return literal;
    if (ts.isIdentifier(node)) return this.readName(node, given, depth);
    if (ts.isPropertyAccessExpression(node)) return this.readProperty(node, given, depth);
    if (ts.isElementAccessExpression(node)) return this.readElement(node, given, depth);
    if (ts.isNewExpression(node) && node.expression.getText() === 'URL') {
      const [address, base] = node.arguments ?? [];
      // Of a base elsewhere, the address is below it or leaves, too.
      const elsewhere = base ? read(base).filter(({ start }) => leaves(start)) : [];
      return [...read(address), ...elsewhere];
    }
    if (ts.isCallExpression(node)) return this.readCall(node, given, depth);
    return [unknown];
  }

  /**
   * A part of a text. Numbers and booleans cannot change where an address leads.
   * @param {ts.Node} node
   * @param {Arguments} given
   * @param {number} depth
   */
  readPart(node, given, depth) {
    const type = this.checker.getTypeAtLocation(node);
    const harmless = ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike;
    return type.flags & harmless ? [number] : this.read(node, given, depth);
  }

  /** @param {ts.BinaryExpression} node @param {Arguments} given @param {number} depth @returns {Text[]} */
  readBinary(node, given, depth) {
    const { left, right } = node;
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.PlusToken:
        return joined(this.readPart(left, given, depth), this.readPart(right, given, depth));
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
        return [...this.read(left, given, depth), ...this.read(right, given, depth)];
      case ts.SyntaxKind.AmpersandAmpersandToken:
      case ts.SyntaxKind.EqualsToken:
      case ts.SyntaxKind.CommaToken:
        return this.read(right, given, depth);
      default:
        return [unknown];
    }
  }

  /**
   * The texts that a type alone determines: a literal, a union of literals, or a template literal's
   * beginning.
   * @param {ts.Node} node
   * @returns {Text[] | undefined}
   */
  literalsOf(node) {
    const type = this.checker.getTypeAtLocation(node);
    const parts = (type.isUnion() ? type.types : [type]).filter(
      ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)),
    );
    const texts = parts.map((part) => {
      if (part.isStringLiteral()) return { start: part.value, open: false };
      if (part.flags & ts.TypeFlags.TemplateLiteral) {
        const [start = ''] = /** @type {ts.TemplateLiteralType} */ (part).texts;
        return start ? { start, open: true } : undefined;
      }
      return undefined;
    });
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
  }

  /** @param {ts.Identifier} node @param {Arguments} given @param {number} depth @returns {Text[]} */
  readName(node, given, depth) {
    const symbol = this.symbolOf(node);
    if (!symbol) return [unknown];
    return given.get(symbol) ?? this.readDeclared(symbol, given, depth);
  }

  /** @param {ts.Symbol} symbol @param {Arguments} given @param {number} depth @returns {Text[]} */
  readDeclared(symbol, given, depth) {
    const declarations = symbol.declarations ?? [];
    if (declarations.length === 0) return [unknown];
    return declarations.flatMap((declaration) => {
      if (ts.isVariableDeclaration(declaration)) {
        const { initializer } = declaration;
        const isConstant = ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const;
        const later = isConstant ? [] : this.assignedTo(symbol, declaration);
        const values = [initializer, ...later].filter((value) => value !== undefined);
        if (values.length === 0) return [unknown];
        return values.flatMap((value) => this.read(value, given, depth));
      }
      if (ts.isPropertyAssignment(declaration)) {
        return this.read(declaration.initializer, given, depth);
      }
      if (ts.isShorthandPropertyAssignment(declaration)) {
        const value = this.checker.getShorthandAssignmentValueSymbol(declaration);
        return value ? this.readDeclared(value, given, depth + 1) : [unknown];
      }
      if (ts.isBindingElement(declaration)) return this.readBinding(declaration, given, depth);
      if (ts.isPropertySignature(declaration)) return [fieldOf(declaration)];
      return [unknown];
    });
  }

  /** @param {ts.BindingElement} element @param {Arguments} given @param {number} depth @returns {Text[]} */
  readBinding(element, given, depth) {
    const name = (element.propertyName ?? element.name).getText();
    const owner = element.parent.parent;
    // `const [url, setUrl] = useState('/x')`: what it begins with.
    if (ts.isArrayBindingPattern(element.parent) && ts.isVariableDeclaration(owner)) {
      const made = owner.initializer;
      const isState =
        made && ts.isCallExpression(made) && /\buseState$/.test(made.expression.getText());
      return isState ? this.readHook(made, given, depth) : [unknown];
    }
    if (ts.isParameter(owner) && isComponent(owner.parent) && addressProps.has(name)) {
      return [{ start: '', open: true, trusted: true }];
    }
    const property = this.checker.getTypeAtLocation(element.parent).getProperty(name);
    const texts = property ? this.readDeclared(property, given, depth + 1) : [unknown];
    return element.initializer
      ? [...texts, ...this.read(element.initializer, given, depth)]
      : texts;
  }

  /** @param {ts.PropertyAccessExpression} node @param {Arguments} given @param {number} depth @returns {Text[]} */
  readProperty(node, given, depth) {
    const { expression, name } = node;
    // An absolute address of this site counts as its path.
    if (name.text === 'origin' && this.isOwnAddress(expression, depth)) {
      return [{ start: '', open: false }];
    }
    if (['href', 'pathname'].includes(name.text) && this.isUrl(expression)) {
      return this.read(expression, given, depth);
    }
    const owner = this.symbolOf(expression)?.valueDeclaration;
    if (
      owner &&
      ts.isParameter(owner) &&
      isComponent(owner.parent) &&
      addressProps.has(name.text)
    ) {
      return [{ start: '', open: true, trusted: true }];
    }
    const symbol = this.symbolOf(name);
    return symbol ? this.readDeclared(symbol, given, depth) : [unknown];
  }

  /**
   * A value of a constant object or list, whichever its key selects: `tabs[name]`.
   * @param {ts.ElementAccessExpression} node
   * @param {Arguments} given
   * @param {number} depth
   * @returns {Text[]}
   */
  readElement(node, given, depth) {
    const values = this.valuesOf(node.expression);
    return values?.flatMap((value) => this.read(value, given, depth)) ?? [unknown];
  }

  /**
   * The values in a literal, or in the literal that a constant is declared with. Undefined where not all are known.
   * @param {ts.Expression} node
   * @returns {ts.Expression[] | undefined}
   */
  valuesOf(node, depth = 0) {
    if (depth > deepest) return undefined;
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      return this.valuesOf(node.expression, depth + 1);
    }
    if (ts.isArrayLiteralExpression(node)) {
      return node.elements.some(ts.isSpreadElement) ? undefined : [...node.elements];
    }
    if (ts.isObjectLiteralExpression(node)) {
      const written = node.properties.filter(ts.isPropertyAssignment);
      const isWhole = written.length === node.properties.length;
      return isWhole ? written.map(({ initializer }) => initializer) : undefined;
    }
    const declaration = this.symbolOf(node)?.valueDeclaration;
    const isConstant =
      declaration &&
      ts.isVariableDeclaration(declaration) &&
      ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const;
    if (!isConstant || !declaration.initializer) return undefined;
    return this.valuesOf(declaration.initializer, depth + 1);
  }

  /** @param {ts.CallExpression} node @param {Arguments} given @param {number} depth @returns {Text[]} */
  readCall(node, given, depth) {
    const [first] = node.arguments;
    const callee = node.expression;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
    if (name === 'useMemo') return this.readHook(node, given, depth);
    if (name === 'createObjectURL') return [{ start: 'blob:', open: true }];
    if (name === 'encodeURIComponent') return [encoded];
    if (name === 'String' || name === 'encodeURI') return this.read(first, given, depth);
    if (name === 'generatePath' || name === 'href') {
      return this.read(first, given, depth).map(({ start }) => ({
        start: start.replace(/[:*].*/, ''),
        open: /[:*]/.test(start),
      }));
    }
    if (ts.isPropertyAccessExpression(callee) && sameBeginning.has(name)) {
      return this.read(callee.expression, given, depth).map((text) => ({ ...text, open: true }));
    }
    if (ts.isPropertyAccessExpression(callee) && name === 'join') {
      const [start, ...rest] = elementsOf(callee.expression) ?? [];
      return joined(
        this.read(start, given, depth),
        ...rest.map((part) =>
          joined(this.read(first, given, depth), this.readPart(part, given, depth)),
        ),
        ...(start ? [] : [[unknown]]),
      );
    }
    const declaration = this.checker.getResolvedSignature(node)?.declaration;
    if (!declaration) return [unknown];
    const file = declaration.getSourceFile().fileName;
    const exported = 'name' in declaration ? (declaration.name?.getText() ?? '') : '';
    const start = packageHelpers[`${inPackage.exec(file)?.[1]} ${exported}`];
    if (start !== undefined) return [{ start, open: true, trusted: true }];
    if (!('body' in declaration) || !declaration.body) return [unknown];
    const texts = this.readReturns(declaration, node, given, depth);
    return helpers.test(file) ? texts.map((text) => ({ ...text, trusted: true })) : texts;
  }

  /**
   * What `useState` or `useMemo` is given, itself or by a function.
   * @param {any} call
   * @param {Arguments} given
   * @param {number} depth
   */
  readHook(call, given, depth) {
    const [first] = call.arguments;
    const values = first && ts.isArrowFunction(first) ? returnsOf(first) : [first];
    return values.flatMap((value) => this.read(value, given, depth));
  }

  /**
   * The return values of a function of the project.
   * @param {any} declaration
   * @param {ts.CallExpression} call
   * @param {Arguments} given
   * @param {number} depth
   */
  readReturns(declaration, call, given, depth) {
    /** @type {Arguments} */
    const inside = new Map();
    for (const [index, parameter] of declaration.parameters.entries()) {
      const symbol = ts.isIdentifier(parameter.name) && this.symbolOf(parameter.name);
      const argument = call.arguments[index] ?? parameter.initializer;
      if (symbol && argument) inside.set(symbol, this.read(argument, given, depth));
    }
    return returnsOf(declaration).flatMap((value) => this.read(value, inside, depth));
  }

  /** @param {ts.Node} node */
  symbolOf(node) {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias
      ? this.checker.getAliasedSymbol(symbol)
      : symbol;
  }

  /** @param {ts.Node} node */
  isUrl(node) {
    return this.checker.getTypeAtLocation(node).symbol?.name === 'URL';
  }

  /**
   * Whether an expression is an address of this site: the page's `location`, or the request's URL.
   * @param {ts.Expression | undefined} node
   * @param {number} depth
   * @returns {boolean}
   */
  isOwnAddress(node, depth) {
    if (!node || depth > deepest) return false;
    if (ts.isNewExpression(node)) {
      const [address] = node.arguments ?? [];
      return (
        this.isUrl(node) &&
        address !== undefined &&
        ts.isPropertyAccessExpression(address) &&
        address.name.text === 'url' &&
        isRequest(this.checker.getTypeAtLocation(address.expression))
      );
    }
    const symbol = this.symbolOf(ts.isPropertyAccessExpression(node) ? node.name : node);
    const [declaration] = symbol?.declarations ?? [];
    if (!declaration) return false;
    const isConstant =
      ts.isVariableDeclaration(declaration) &&
      ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const;
    if (isConstant) return this.isOwnAddress(declaration.initializer, depth + 1);
    return symbol?.name === 'location' && browserTypes.test(declaration.getSourceFile().fileName);
  }

  /** @param {ts.Symbol} symbol @param {ts.Node} declaration */
  assignedTo(symbol, declaration) {
    const scope = ts.findAncestor(declaration, ts.isFunctionLike) ?? declaration.getSourceFile();
    /** @type {ts.Node[]} */
    const values = [];
    const visit = (/** @type {ts.Node} */ node) => {
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isIdentifier(node.left) &&
        this.symbolOf(node.left) === symbol
      ) {
        values.push(node.right);
      }
      ts.forEachChild(node, visit);
    };
    visit(scope);
    return values;
  }
}

/**
 * The source of an expression, with that of the constants and functions of the project that it mentions.
 * @param {ts.Node} node
 * @param {ts.TypeChecker} checker
 * @returns {string}
 */
export function sourceOf(node, checker, depth = 0) {
  const texts = [node.getText()];
  const visit = (/** @type {ts.Node} */ part) => {
    ts.forEachChild(part, visit);
    if (!ts.isIdentifier(part) || depth >= 3) return;
    const symbol = checker.getSymbolAtLocation(part);
    const own =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = /** @type {any} */ (own?.valueDeclaration);
    const made = declaration?.initializer ?? declaration?.body;
    const isOwn = made && !/\/node_modules\/|\.d\.ts$/.test(made.getSourceFile().fileName);
    if (isOwn && !ts.findAncestor(node, (around) => around === made))
      texts.push(sourceOf(made, checker, depth + 1));
  };
  visit(node);
  return texts.join('\n');
}

const sameBeginning = new Set(['toString', 'trim', 'trimEnd', 'concat', 'padEnd', 'replaceAll']);

/**
 * The expressions that a function returns, without those of inner functions.
 * @param {any} declaration
 * @returns {ts.Expression[]}
 */
export function returnsOf(declaration) {
  if (!ts.isBlock(declaration.body)) return [declaration.body];
  /** @type {ts.Expression[]} */
  const values = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) values.push(node.expression);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration.body, visit);
  return values;
}

/** @param {ts.PropertySignature} declaration @returns {Text} */
function fieldOf(declaration) {
  const inSdk = /\/app\/platform\//.test(declaration.getSourceFile().fileName);
  // W21: the SDK returns a file's address as one of this site's, below `/api/`.
  return inSdk && /url$/i.test(declaration.name.getText())
    ? { start: '/api/', open: true }
    : unknown;
}

/** @param {ts.Node} node */
function isComponent(node) {
  const named = /** @type {ts.FunctionDeclaration} */ (node).name ?? node.parent;
  const name = ts.isVariableDeclaration(named) ? named.name : named;
  return ts.isIdentifier(name) && /^[A-Z]/.test(name.text);
}

/** @param {ts.Node} node */
function isNothing(node) {
  return (
    node.kind === ts.SyntaxKind.NullKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined')
  );
}

/** @param {ts.Node} node */
function elementsOf(node) {
  return ts.isArrayLiteralExpression(node) ? node.elements : undefined;
}

/** @param {Text[][]} parts @returns {Text[]} */
function joined(...parts) {
  return parts.reduce((befores, afters) => {
    if (befores.length * afters.length > most) return [unknown];
    return befores.flatMap((before) =>
      before.open
        ? [before]
        : afters.map((after) => ({ ...after, start: before.start + after.start })),
    );
  });
}
