/**
 * W21, W28: protected files are fetched by script, with the frame's cookies; nothing navigates to `/api/`.
 */
import { mayBegin, textsOf } from '../../analysis/texts.js';
import { targetListeners } from '../../analysis/targets.js';
import { typesOf } from '../../analysis/types.js';

/** An address under `/api/`, absolute or relative. */
const resource = /^(\.{0,2}\/)*api([/?#\0]|$)/i;

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
    const { checker } = typesOf(context);

    return targetListeners(
      context,
      ({ node, way, by, address }) => {
        if (way === 'fetcher') return;
        const texts = textsOf(address, checker);
        if (texts.some((text) => mayBegin(text, resource))) {
          context.report({ node, messageId: 'native', data: { by } });
        } else if (by === 'window.open' && texts.some(({ open, start }) => open && start === '')) {
          context.report({ node, messageId: 'opened' });
        }
      },
      (node, href) => {
        // A blob that a script has made is in the page already: no request leaves the frame.
        const isBlob =
          href && textsOf(href, checker).every(({ start }) => /^(data|blob):/.test(start));
        if (!isBlob) context.report({ node, messageId: 'download' });
      },
    );
  },
};
