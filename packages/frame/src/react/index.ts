/** The same as hooks, which follow the page: they stop when it is left, and when another person signs in. */
export { ReloadProvider, useReload, type ReloadProviderProps } from './reload.tsx';
export * from './sessions.tsx';
export * from './use-api.ts';
export * from './use-connection.ts';
export * from './use-download.ts';
export * from './use-draft.ts';
export * from './use-file-drop.ts';
export * from './use-form-draft.ts';
export * from './use-polling.ts';
export * from './use-upload.ts';
