/** Code that a test lints under this path. */
export {};
