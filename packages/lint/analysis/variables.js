/** Resolves names in the code, in whatever scope they are declared. */
import { findVariable } from '@eslint-community/eslint-utils';

/**
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} node an identifier
 */
export function definitionOf(sourceCode, node) {
  return findVariable(sourceCode.getScope(node), node)?.defs[0];
}

/**
 * The value that a variable is declared with.
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} node an identifier
 * @returns {any}
 */
export function initOf(sourceCode, node) {
  const definition = definitionOf(sourceCode, node);
  return definition?.type === 'Variable' && definition.node.id.type === 'Identifier'
    ? definition.node.init
    : undefined;
}

/**
 * The value of a `const`.
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} node an identifier
 * @returns {any}
 */
export function constantOf(sourceCode, node) {
  const definition = definitionOf(sourceCode, node);
  const isConstant = definition?.type === 'Variable' && definition.parent.kind === 'const';
  return isConstant ? initOf(sourceCode, node) : undefined;
}
