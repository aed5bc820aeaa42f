/** The simulated platform's resources, by their names in its state. */
export * as bookmarks from './bookmarks';
export * as workspaces from './workspaces';
export * as credits from './credits';
export * as media from './media';
export * as generations from './generations';
