/** Requests, downloads, uploads, events and drafts of a page in a frame, and its connection to the site. */
export * from './api';
export * from './connection';
export * from './download';
export * from './draft';
export * from './events';
export * from './partial-file';
export * from './route-files';
export * from './signing-out';
export * from './typed-fields';
export * from './upload';
