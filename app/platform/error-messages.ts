/** The error codes of the operations that this site declares, and the message for each (W33). */
export const bookmarkMessages = {
  too_many_bookmarks: 'You have as many bookmarks as the platform keeps. Remove one first.',
};
export { generationMessages } from './generations/error-messages';
export { mediaMessages } from './media/error-messages';
