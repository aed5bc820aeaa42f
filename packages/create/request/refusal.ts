/** Thrown when `init` refuses to run. The message is one sentence for the user. */
export class Refusal extends Error {}

/** @throws {Refusal} naming the file, if it is not valid JSON. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${file} is not valid JSON, so nothing was changed.`);
  }
}
