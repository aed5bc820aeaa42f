/** Finds addresses: every expression in the code that a navigation, a redirect, a link or a frame uses as one. */
import { findVariable, ReferenceTracker } from '@eslint-community/eslint-utils';
import * as ts from 'typescript';
import { partsOf, propertiesOf, typesOf } from './types.js';
import { definitionOf } from './variables.js';

/**
 * @typedef {'client' | 'fetcher' | 'link' | 'document' | 'redirect' | 'embed'} Way
 * - client: React Router navigates to it
 * - fetcher: Remix requests it in the background
 * - link: a native link or form
 * - document: a script navigates away from the document
 * - redirect: a loader or an action sends the visitor there
 * - embed: a frame or plug-in shows it
 *
 * @typedef {object} Target
 * @property {any} node where it is used, for reports
 * @property {import('typescript').Expression} address perhaps in another file
 * @property {Way} way
 * @property {string} by the code's name for it, for messages: `Link`, `navigate`
 */

const embeds = new Set(['iframe', 'frame', 'object', 'embed', 'portal']);
const elementTypes = /^HTML(Anchor|Area|Form|IFrame|Frame|Object|Embed|Base|Button|Input)Element$/;

/**
 * Listeners that find every target of a file.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {(target: Target) => void} found
 * @param {(node: any, href: import('typescript').Expression | undefined) => void} [foundDownload] a `download` attribute or
 *   property, and the address beside it
 * @returns {import('eslint').Rule.RuleListener}
 */
export function targetListeners(context, found, foundDownload = () => undefined) {
  const { checker, tsNode, textOf } = typesOf(context);
  const { sourceCode } = context;
  const typeOf = (/** @type {any} */ node) => checker.getTypeAtLocation(tsNode(node));
  const isOfType = (/** @type {any} */ node, /** @type {RegExp} */ name) =>
    partsOf(typeOf(node)).some((part) => name.test((part.aliasSymbol ?? part.symbol)?.name ?? ''));

  /**
   * @param {string} element
   * @param {string} name
   * @param {any} node
   * @param {boolean} leaves
   * @param {ts.Expression} [address]
   */
  function attribute(element, name, node, leaves, address) {
    if (!node) return;
    if (name === 'to') return target(node, leaves ? 'document' : 'client', element, address);
    if (name === 'href') return target(node, 'link', element, address);
    if (name === 'action' || name === 'formAction') {
      const way = /\bForm$/.test(element) && !leaves ? 'client' : 'link';
      return target(node, element.endsWith('.Form') ? 'fetcher' : way, element, address);
    }
    if ((name === 'src' || name === 'data') && embeds.has(element))
      target(node, 'embed', element, address);
  }

  /**
   * Reports an address, or the `pathname` of an object with its parts.
   * @param {any} node
   * @param {Way} way
   * @param {string} by
   * @param {ts.Expression} [address]
   */
  function target(node, way, by, address = tsNode(node)) {
    const isParts = partsOf(checker.getTypeAtLocation(address)).every(
      ({ symbol }) => symbol?.name === '__object',
    );
    if (!isParts) return found({ node, way, by, address });
    for (const { name, value } of propertiesOf(address, checker))
      if (name === 'pathname') found({ node, way, by, address: value });
  }

  /**
   * Props in an object: spread, passed to `createElement`, or assigned to an element.
   * @param {string} element
   * @param {any} node
   * @param {any} [href] the address that stands beside it
   */
  function props(element, node, href) {
    const properties = propertiesOf(tsNode(node), checker);
    const beside = properties.find(({ name }) => name === 'href')?.value ?? href;
    for (const { name, value } of properties) {
      if (name === 'download') foundDownload(node, beside);
      else attribute(element, name, node, false, value);
    }
  }

  return {
    Program(program) {
      const tracker = new ReferenceTracker(sourceCode.getScope(program));
      const open = { open: { [ReferenceTracker.CALL]: true } };
      for (const { node } of tracker.iterateGlobalReferences(open)) {
        const [address] = /** @type {any} */ (node).arguments;
        if (address) target(address, 'document', 'window.open');
      }
    },
    JSXOpeningElement(/** @type {any} */ element) {
      const name = sourceCode.getText(element.name);
      const leaves = element.attributes.some(
        (/** @type {any} */ attribute) => attribute.name?.name === 'reloadDocument',
      );
      const link = element.attributes.find((/** @type {any} */ item) => item.name?.name === 'href');
      const href = link && tsNode(valueOf(link));
      for (const item of element.attributes) {
        if (item.type === 'JSXSpreadAttribute') props(name, item.argument, href);
        else if (item.name.name === 'download') foundDownload(item, href);
        else attribute(name, item.name.name, valueOf(item), leaves);
      }
    },
    CallExpression(/** @type {any} */ call) {
      const [first, second] = call.arguments;
      const callee = call.callee.type === 'ChainExpression' ? call.callee.expression : call.callee;
      const member = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
      if (/^(createElement|cloneElement|jsxs?)$/.test(member ?? callee.name ?? '') && second) {
        const element = first.openingElement?.name ?? first;
        return props(textOf(first) ?? sourceCode.getText(element), second);
      }
      if (!first) return;
      if (member === 'assign' && second && isOfType(first, elementTypes)) return props('', second);
      if (member === 'assign' && second && isOfType(first, /^Location$/)) {
        return target(second, 'document', 'location', property(tsNode(second), 'href'));
      }
      // `data(…, { headers: { Location } })`, `json`, or a helper of the site's own.
      for (const argument of call.arguments)
        headers(argument, property(tsNode(argument), 'headers'));
      if (member === 'redirect' && callee.object.name === 'Response') {
        return target(first, 'redirect', 'Response.redirect');
      }
      if (/^(set|toggle)Attribute$/.test(member ?? '') && isOfType(callee.object, elementTypes)) {
        const name = textOf(first) ?? '';
        if (name === 'download') return foundDownload(call, undefined);
        if (second && /^(href|action|formaction|src|data)$/.test(name))
          target(second, 'link', name);
        return;
      }
      if ((member === 'assign' || member === 'replace') && isOfType(callee.object, /^Location$/)) {
        return target(first, 'document', `location.${member}`);
      }
      if ((member === 'set' || member === 'append') && isOfType(callee.object, /^Headers$/)) {
        if (/^location$/i.test(textOf(first) ?? '') && second)
          target(second, 'redirect', 'Location');
        return;
      }
      if (member === 'load' && typeOf(callee.object).getProperty('Form')) {
        return target(first, 'fetcher', 'fetcher.load');
      }
      if (isOfType(callee, /^RedirectFunction$/)) {
        const by = member ?? importedName(callee) ?? 'redirect';
        return target(first, by === 'redirectDocument' ? 'document' : 'redirect', by);
      }
      if (isOfType(callee, /^NavigateFunction$/)) return target(first, 'client', 'navigate');
      if (isOfType(callee, /^(Fetcher)?SubmitFunction$/) || member === 'submit') {
        const action = second && property(tsNode(second), 'action');
        if (action) target(second, 'client', 'submit', action);
      }
    },
    NewExpression(/** @type {any} */ node) {
      const [first, second] = node.arguments;
      if (node.callee.name === 'Headers' && first) headers(first, tsNode(first));
      if (node.callee.name === 'Response' && second)
        headers(second, property(tsNode(second), 'headers'));
    },
    AssignmentExpression(/** @type {any} */ { left, right }) {
      if (left.type === 'MemberExpression') {
        const name = memberName(left);
        if (name === 'href' && isOfType(left.object, /^Location$/)) {
          return target(right, 'document', 'location.href');
        }
        if (name === 'download' && isOfType(left.object, elementTypes))
          return foundDownload(left, hrefOf(left));
        if (/^location$/i.test(name ?? '') && typeOf(left.object).getStringIndexType())
          return target(right, 'redirect', 'Location');
        if (/^(href|action|src|data)$/.test(name ?? '') && isOfType(left.object, elementTypes)) {
          return target(right, 'link', String(name));
        }
      }
      const isLocation = left.name === 'location' || memberName(left) === 'location';
      if (isLocation && isOfType(left, /^Location$/)) target(right, 'document', 'location');
    },
  };

  /** @param {ts.Node} node @param {string} name */
  function property(node, name) {
    const properties = propertiesOf(node, checker);
    return properties.find((candidate) => candidate.name.toLowerCase() === name)?.value;
  }

  /** @param {any} node @param {ts.Node | undefined} written */
  function headers(node, written) {
    if (!written) return;
    const location = property(written, 'location');
    if (location) target(node, 'redirect', 'Location', location);
    if (!ts.isArrayLiteralExpression(written)) return;
    for (const pair of written.elements) {
      const [name, value] = ts.isArrayLiteralExpression(pair) ? pair.elements : [];
      if (value && /^.location.$/i.test(name?.getText() ?? ''))
        target(node, 'redirect', 'Location', value);
    }
  }

  /** The address that is assigned to the same link. @param {any} download */
  function hrefOf({ object }) {
    if (object.type !== 'Identifier') return undefined;
    const uses = findVariable(sourceCode.getScope(object), object)?.references ?? [];
    const members = uses.map(({ identifier }) => /** @type {any} */ (identifier).parent);
    const href = members.find((member) => memberName(member) === 'href')?.parent.right;
    return href && tsNode(href);
  }

  /** @param {any} callee */
  function importedName(callee) {
    const definition = definitionOf(sourceCode, callee);
    return definition?.type === 'ImportBinding'
      ? /** @type {any} */ (definition.node).imported?.name
      : undefined;
  }
}

/** @param {any} node @returns {string | undefined} */
export function memberName(node) {
  if (node.type !== 'MemberExpression') return undefined;
  if (!node.computed) return node.property.name;
  return node.property.type === 'Literal' ? String(node.property.value) : undefined;
}

/** @param {any} property @returns {string} */
export function keyOf({ key, computed }) {
  return key.type === 'Literal' ? String(key.value) : computed ? '' : key.name;
}

/** @param {any} attribute */
function valueOf({ value }) {
  return value?.type === 'JSXExpressionContainer' ? value.expression : value;
}
