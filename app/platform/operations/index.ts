/** The platform's operations that routes may use, by the names of their resources in the SDK. */
export { bookmarks } from './bookmarks';
export { workspaces } from './workspaces';
export { credits } from './credits';
export { media } from './media';
export { generations } from './generations';
