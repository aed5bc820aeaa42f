/** Why nothing was done, in one sentence for whoever ran the command. */
export class Refusal extends Error {}
