/** The variables that hold a guard's result or a part of it. */
import * as ts from 'typescript';

export class Results {
  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
    /** @type {Set<ts.Symbol>} */
    this.symbols = new Set();
  }

  /** @param {ts.Node} name a variable's name or a destructuring pattern */
  add(name) {
    const symbol = ts.isIdentifier(name) && this.checker.getSymbolAtLocation(name);
    if (symbol) this.symbols.add(symbol);
    else if (ts.isBindingElement(name)) this.add(name.name);
    else ts.forEachChild(name, (child) => this.add(child));
  }

  /**
   * Whether an expression mentions one of them.
   * @param {ts.Node} node
   * @returns {boolean}
   */
  areIn(node) {
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
        : this.checker.getSymbolAtLocation(node);
      return symbol !== undefined && this.symbols.has(symbol);
    }
    return ts.forEachChild(node, (child) => this.areIn(child) || undefined) === true;
  }
}
