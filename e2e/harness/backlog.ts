/** Connections that wait to be let in: of a crowd that comes at once, Node's 511 would refuse the rest. */
export const BACKLOG = 4_096;
