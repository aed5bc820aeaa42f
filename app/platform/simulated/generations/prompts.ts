/** Phrases in a prompt that make the simulator refuse the order, or make its generation fail. */

/** An order with these words is refused. */
const refusals = {
  'refuse please': [422, 'prompt_refused', 'This prompt breaks our rules.'],
  'hurry please': [429, 'rate_limited', 'Not so fast.'],
} as const;

/** A generation with these words fails after this share of its duration. */
const failures = {
  'fail please': { share: 0.6, code: 'provider_failed' },
  'refuse later please': { share: 0.3, code: 'content_policy' },
  'time out please': { share: 1, code: 'timed_out' },
  'surprise please': { share: 0.5, code: 'e4711_canary' },
} as const;

export type Refusal = (typeof refusals)[keyof typeof refusals];
export type Failure = (typeof failures)[keyof typeof failures];

export const refusalOf = (prompt: string): Refusal | null => found(refusals, prompt);

export const failureOf = (prompt: string): Failure | null => found(failures, prompt);

function found<T>(phrases: Readonly<Record<string, T>>, prompt: string): T | null {
  const words = prompt.toLowerCase();
  const match = Object.entries(phrases).find(([phrase]) => words.includes(phrase));
  return match ? match[1] : null;
}
