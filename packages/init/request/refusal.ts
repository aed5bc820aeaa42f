/** Why nothing was done, in one sentence for the user. */
export class Refusal extends Error {}
