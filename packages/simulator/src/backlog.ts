/** The listen backlog. Node's default of 511 is too small for thousands of connections at once. */
export const BACKLOG = 4_096;
