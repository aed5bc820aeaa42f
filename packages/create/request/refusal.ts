/** Thrown when `init` refuses to run. The message is one sentence for the user. */
export class Refusal extends Error {}
