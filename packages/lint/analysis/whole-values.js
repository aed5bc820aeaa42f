/** Follows a value that must not leave as a whole, through names, conditions and functions of the same file. */
import { findVariable } from '@eslint-community/eslint-utils';
import { definitionOf } from './variables.js';

const deepest = 4;

/**
 * Whether every use of an expression's value is harmless: a test for its presence, or what `isHarmless` accepts.
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} node an expression
 * @param {(node: any) => boolean} isHarmless whether the place where the value stands is one that it may go to
 * @returns {boolean}
 */
export function staysHarmless(sourceCode, node, isHarmless, depth = 0) {
  const { parent } = node;
  if (isHarmless(node)) return true;
  if (depth > deepest) return false;
  const goesOn = () => staysHarmless(sourceCode, parent, isHarmless, depth);
  switch (parent.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      return goesOn();
    case 'LogicalExpression':
      // What `&&` passes on from its left side is nothing.
      return (parent.operator === '&&' && parent.left === node) || goesOn();
    case 'ConditionalExpression':
      return parent.test === node || goesOn();
    case 'IfStatement':
    case 'WhileStatement':
      return true;
    case 'UnaryExpression':
      return parent.operator === '!' || parent.operator === 'typeof';
    case 'BinaryExpression':
      return /^[!=]==?$/.test(parent.operator);
    case 'VariableDeclarator':
      return parent.init === node && staysWithin(sourceCode, parent.id, isHarmless, depth + 1);
    case 'CallExpression': {
      const index = parent.arguments.indexOf(node);
      if (index < 0) return false;
      if (parent.callee.name === 'Boolean') return true;
      const parameter = functionNamed(sourceCode, parent.callee)?.params[index];
      return parameter !== undefined && staysWithin(sourceCode, parameter, isHarmless, depth + 1);
    }
    default:
      return false;
  }
}

/**
 * The same for the name that a value is bound to, in a declaration, a pattern or a parameter.
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} pattern
 * @param {(node: any) => boolean} isHarmless
 */
export function staysWithin(sourceCode, pattern, isHarmless, depth = 0) {
  const name = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  const variable = name.type === 'Identifier' && findVariable(sourceCode.getScope(name), name.name);
  if (!variable) return false;
  return variable.references
    .filter((reference) => reference.isRead())
    .every(({ identifier }) => staysHarmless(sourceCode, identifier, isHarmless, depth));
}

/**
 * The function of the same file that a call calls.
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} callee
 * @returns {any}
 */
export function functionNamed(sourceCode, callee) {
  if (callee.type !== 'Identifier') return undefined;
  const definition = definitionOf(sourceCode, callee);
  const node = /** @type {any} */ (definition?.node);
  if (definition?.type === 'FunctionName') return node;
  const made = definition?.type === 'Variable' ? node.init : undefined;
  return made && /Function/.test(made.type) ? made : undefined;
}

/**
 * Whether an expression contains a value as a whole: not only one of its fields, and not only as what another function
 * takes a part from.
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} node
 * @param {(node: any) => boolean} isWhole
 * @returns {any} the part that is the value; undefined if there is none
 */
export function wholeIn(sourceCode, node, isWhole, depth = 0) {
  if (!node || depth > deepest) return undefined;
  const inside = (/** @type {any} */ part) => wholeIn(sourceCode, part, isWhole, depth);
  const among = (/** @type {any[]} */ list) => list.map(inside).find(Boolean);
  if (/Expression|Identifier/.test(node.type) && isWhole(node)) return node;
  switch (node.type) {
    case 'Identifier': {
      const definition = definitionOf(sourceCode, node);
      const made = /** @type {any} */ (definition?.node);
      const name = /** @type {any} */ (definition?.name);
      const isAll = made?.id === name || name?.parent.type === 'RestElement';
      const init = definition?.type === 'Variable' && isAll && made.init;
      return init ? wholeIn(sourceCode, init, isWhole, depth + 1) : undefined;
    }
    case 'ObjectExpression':
      return among(
        node.properties.map((/** @type {any} */ property) => property.value ?? property.argument),
      );
    case 'ArrayExpression':
      return among(node.elements);
    case 'TemplateLiteral':
      return among(node.expressions);
    case 'SpreadElement':
    case 'AwaitExpression':
      return inside(node.argument);
    case 'ConditionalExpression':
      return among([node.consequent, node.alternate]);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return among([node.left, node.right]);
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return inside(node.expression);
    case 'CallExpression':
      if (node.callee.property?.name === 'join') return inside(node.callee.object);
      return isTextOf(node.callee) ? among(node.arguments) : undefined;
    default:
      return undefined;
  }
}

/** Whether a function returns all that it is given, in another form. @param {any} callee */
function isTextOf(callee) {
  if (callee.name) return /^(String|structuredClone|inspect|stringify|format)$/.test(callee.name);
  return /^(stringify|assign|entries|values|fromEntries|inspect|format|serialize)$/.test(
    callee.property?.name ?? '',
  );
}
