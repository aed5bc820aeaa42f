/**
 * W21, W28: protected files are fetched by script, with the frame's cookies; nothing navigates to `/api/`.
 */
import { findVariable } from '@eslint-community/eslint-utils';
import { mayBegin, textsOf } from '../../analysis/texts.js';
import { memberName, targetListeners } from '../../analysis/targets.js';
import { typesOf } from '../../analysis/types.js';
import { initOf } from '../../analysis/variables.js';

/** An address under `/api/`, absolute or relative. */
const resource = /^\.{0,2}\/?api([/?#\0]|$)/i;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      native:
        '`{{by}}` leads to an address under `/api/`: in a frame, a native request is sent with the wrong cookies, and gets a 401 or another account’s file. For a file, use `<DownloadButton>` of app/shell/download-button.tsx; for data, use `useApi` of `@gatehouse/frame/react` or a fetcher.',
      download:
        'A native download is sent without the frame’s cookies. Use `<DownloadButton>` of app/shell/download-button.tsx.',
      opened:
        'The address that `window.open` opens is not known here: one of this site would open without the frame’s cookies. For a file, use `<DownloadButton>` of app/shell/download-button.tsx; for another site, use `<a href>`.',
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);

    /** @param {any} node @returns {boolean} */
    function isBlob(node) {
      if (!node) return false;
      if (node.type === 'Identifier') return isBlob(initOf(context.sourceCode, node));
      if (node.type === 'CallExpression') return memberName(node.callee) === 'createObjectURL';
      return textsOf(tsNode(node), checker).every((text) => text.start.startsWith('data:'));
    }

    /**
     * The address of the link that has this `download` attribute or property.
     * @param {any} node
     * @returns {any}
     */
    function hrefBeside(node) {
      if (node.type === 'JSXAttribute') {
        const href = node.parent.attributes.find(
          (/** @type {any} */ attribute) => attribute.name?.name === 'href',
        );
        return href?.value?.expression ?? href?.value;
      }
      if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
      const link = findVariable(context.sourceCode.getScope(node), node.object);
      return link?.references
        .map(({ identifier }) => /** @type {any} */ (identifier).parent)
        .find((member) => memberName(member) === 'href' && member.parent.left === member)?.parent
        .right;
    }

    return targetListeners(
      context,
      ({ node, way, by }) => {
        if (way === 'fetcher') return;
        const texts = textsOf(tsNode(node), checker);
        if (texts.some((text) => mayBegin(text, resource))) {
          context.report({ node, messageId: 'native', data: { by } });
        } else if (by === 'window.open' && texts.some(({ open, start }) => open && start === '')) {
          context.report({ node, messageId: 'opened' });
        }
      },
      (node) => {
        // A blob that a script has made is in the page already: no request leaves the frame.
        if (!isBlob(hrefBeside(node))) context.report({ node, messageId: 'download' });
      },
    );
  },
};
