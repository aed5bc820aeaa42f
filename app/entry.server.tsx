/**
 * Server rendering of pages. Whatever loaders, actions and components throw is logged and never
 * shown (W33).
 */
import { createPageRenderer } from '@gatehouse/server/remix/pages';
import { NonceContext } from './ui/nonce';

export { handleError, streamTimeout } from '@gatehouse/server/remix/pages';

export default createPageRenderer((page, nonce) => (
  <NonceContext.Provider value={nonce}>{page}</NonceContext.Provider>
));
