/** Finds addresses: every expression in the code that a navigation, a redirect, a link or a frame uses as one. */
import { ReferenceTracker } from '@eslint-community/eslint-utils';
import { partsOf, typesOf } from './types.js';
import { constantOf, definitionOf } from './variables.js';

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
 * @property {any} node the address
 * @property {Way} way
 * @property {string} by the code's name for it, for messages: `Link`, `navigate`
 */

const embeds = new Set(['iframe', 'frame', 'object', 'embed', 'portal']);
const elementTypes = /^HTML(Anchor|Area|Form|IFrame|Frame|Object|Embed|Base|Button|Input)Element$/;

/**
 * Listeners that find every target of a file.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {(target: Target) => void} found
 * @param {(node: any) => void} [foundDownload] a `download` attribute or property
 * @returns {import('eslint').Rule.RuleListener}
 */
export function targetListeners(context, found, foundDownload = () => undefined) {
  const { checker, tsNode } = typesOf(context);
  const { sourceCode } = context;
  const typeOf = (/** @type {any} */ node) => checker.getTypeAtLocation(tsNode(node));
  const isOfType = (/** @type {any} */ node, /** @type {RegExp} */ name) =>
    partsOf(typeOf(node)).some((part) => name.test((part.aliasSymbol ?? part.symbol)?.name ?? ''));

  /** @param {string} element @param {string} name @param {any} node @param {boolean} leaves */
  function attribute(element, name, node, leaves) {
    if (!node) return;
    if (name === 'to') return target(node, leaves ? 'document' : 'client', element);
    if (name === 'href') return target(node, 'link', element);
    if (name === 'action' || name === 'formAction') {
      const way = /\bForm$/.test(element) && !leaves ? 'client' : 'link';
      return target(node, element.endsWith('.Form') ? 'fetcher' : way, element);
    }
    if ((name === 'src' || name === 'data') && embeds.has(element)) target(node, 'embed', element);
  }

  /**
   * Reports an address, or the `pathname` of an object with its parts.
   * @param {any} node
   * @param {Way} way
   * @param {string} by
   */
  function target(node, way, by) {
    const object = objectOf(node);
    if (!object) return found({ node, way, by });
    const pathname = propertyOf(object, 'pathname');
    if (pathname) found({ node: pathname.value, way, by });
  }

  /** @param {any} node @returns {any} */
  function objectOf(node) {
    if (node?.type === 'ObjectExpression') return node;
    if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') {
      return objectOf(node.expression);
    }
    return node?.type === 'Identifier' ? objectOf(constantOf(sourceCode, node)) : undefined;
  }

  /**
   * Props in an object: spread, or passed to `createElement`.
   * @param {string} element
   * @param {any} node
   */
  function props(element, node) {
    const object = objectOf(node);
    if (!object) return;
    for (const property of object.properties) {
      if (property.type !== 'Property') continue;
      const name = keyOf(property);
      if (name === 'download') foundDownload(property);
      else attribute(element, name, property.value, false);
    }
  }

  return {
    Program(program) {
      const tracker = new ReferenceTracker(sourceCode.getScope(program));
      const open = { open: { [ReferenceTracker.CALL]: true } };
      for (const { node } of tracker.iterateGlobalReferences(open)) {
        const [address] = /** @type {any} */ (node).arguments;
        if (address) found({ node: address, way: 'document', by: 'window.open' });
      }
    },
    JSXOpeningElement(/** @type {any} */ element) {
      const name = sourceCode.getText(element.name);
      const leaves = element.attributes.some(
        (/** @type {any} */ attribute) => attribute.name?.name === 'reloadDocument',
      );
      for (const item of element.attributes) {
        if (item.type === 'JSXSpreadAttribute') props(name, item.argument);
        else if (item.name.name === 'download') foundDownload(item);
        else attribute(name, item.name.name, valueOf(item), leaves);
      }
    },
    CallExpression(/** @type {any} */ call) {
      const [first, second] = call.arguments;
      const callee = call.callee.type === 'ChainExpression' ? call.callee.expression : call.callee;
      const member = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
      if (/^(createElement|jsxs?)$/.test(member ?? callee.name ?? '') && second) {
        const element = first.type === 'Literal' ? String(first.value) : sourceCode.getText(first);
        return props(element, second);
      }
      if (!first) return;
      // `data(…, { headers: { Location } })`, `json`, or a helper of the site's own.
      for (const argument of call.arguments)
        headers(propertyOf(objectOf(argument), 'headers')?.value);
      if (member === 'redirect' && callee.object.name === 'Response') {
        return target(first, 'redirect', 'Response.redirect');
      }
      if (member === 'setAttribute' && second && isOfType(callee.object, elementTypes)) {
        const name = first.type === 'Literal' ? String(first.value) : '';
        if (name === 'download') return foundDownload(call);
        if (/^(href|action|formaction|src|data)$/.test(name)) target(second, 'link', name);
        return;
      }
      if ((member === 'assign' || member === 'replace') && isOfType(callee.object, /^Location$/)) {
        return target(first, 'document', `location.${member}`);
      }
      if ((member === 'set' || member === 'append') && isOfType(callee.object, /^Headers$/)) {
        if (/^location$/i.test(String(first.value)) && second)
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
        const action = second && propertyOf(objectOf(second), 'action');
        if (action) target(action.value, 'client', 'submit');
      }
    },
    NewExpression(/** @type {any} */ node) {
      const [first, second] = node.arguments;
      if (node.callee.name === 'Headers') headers(first);
      if (node.callee.name === 'Response') headers(propertyOf(objectOf(second), 'headers')?.value);
    },
    AssignmentExpression(/** @type {any} */ { left, right }) {
      if (left.type === 'MemberExpression') {
        const name = memberName(left);
        if (name === 'href' && isOfType(left.object, /^Location$/)) {
          return target(right, 'document', 'location.href');
        }
        if (name === 'download' && isOfType(left.object, elementTypes)) return foundDownload(left);
        if (/^(href|action|src|data)$/.test(name ?? '') && isOfType(left.object, elementTypes)) {
          return target(right, 'link', String(name));
        }
      }
      const isLocation = left.name === 'location' || memberName(left) === 'location';
      if (isLocation && isOfType(left, /^Location$/)) target(right, 'document', 'location');
    },
  };

  /** @param {any} node */
  function headers(node) {
    const location = propertyOf(objectOf(node), 'location');
    if (location) target(location.value, 'redirect', 'Location');
    if (node?.type !== 'ArrayExpression') return;
    for (const { elements: [name, value] = [] } of node.elements) {
      if (/^location$/i.test(String(name?.value)) && value) target(value, 'redirect', 'Location');
    }
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

/** @param {any} object @param {string} name */
function propertyOf(object, name) {
  return object?.properties.find(
    (/** @type {any} */ property) =>
      property.type === 'Property' && keyOf(property).toLowerCase() === name,
  );
}

/** @param {any} property @returns {string} */
export function keyOf({ key, computed }) {
  return key.type === 'Literal' ? String(key.value) : computed ? '' : key.name;
}

/** @param {any} attribute */
function valueOf({ value }) {
  return value?.type === 'JSXExpressionContainer' ? value.expression : value;
}
