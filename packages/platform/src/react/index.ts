/** Who the visitor is, for every component of a page. */
export { useRefusal } from './use-refusal.ts';
export * from './user-state.tsx';
