/** Thrown when a command refuses to run. The message is one sentence for the user. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** By its name, because a newer release's program has a class of its own. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal';
}

/** One line. */
export function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}

/** What npm complained of, without its prefix. */
export function npmReasonOf(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line !== '' && !/^(code|errno) /.test(line)) ?? reasonOf(error);
}

/** @throws {Refusal} naming the file, if it is not valid JSON. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new Refusal(`${file} is not valid JSON, so nothing was changed.`);
  }
}
