/** Who the visitor is, for every component of a page. */
export * from './user-state.tsx';
