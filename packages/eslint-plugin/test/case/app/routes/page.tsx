/** Stands for a file of the site: each test gives it other code. A program of its own is quick to check. */
export {};
