/** Requests, downloads, uploads, events and drafts of a page in a frame, and its connection to the site. */
export * from './api.ts';
export * from './connection.ts';
export * from './download.ts';
export * from './draft.ts';
export * from './events.ts';
export * from './partial-file.ts';
export * from './route-files.ts';
export * from './signing-out.ts';
export * from './typed-fields.ts';
export * from './upload.ts';
