/** The file that tests lint, each with its own code. A TypeScript program this small is quick to check. */
export {};
