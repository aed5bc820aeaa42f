/** For loaders and actions: cookies that a frame keeps, forms, and responses. */
export * from './cookies.ts';
export * from './forms.ts';
export * from './invisible-text.ts';
export * from './json-response.ts';
export * from './public-context.ts';
export * from './text-stream.ts';
export * from './xml.ts';
