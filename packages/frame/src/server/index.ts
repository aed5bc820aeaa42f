/** For loaders and actions: cookies that a frame keeps, forms, and responses. */
export * from './cookies';
export * from './forms';
export * from './invisible-text';
export * from './json-response';
export * from './text-stream';
