/** Asks a person at a terminal for what the arguments leave open. */
import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, multiselect, note, select, text } from '@clack/prompts';
import { keptIn, type AuthMode, type Feature } from '../features.ts';
import type { Given } from './command-line.ts';
import { isRefusal, Refusal } from './refusal.ts';

export interface Terminal {
  input: Readable;
  output: Writable;
}

const modes: Record<AuthMode, string> = {
  platform: 'the platform’s: generation, uploads, profile, workspaces, credits',
  'in-app': 'its own: sign-up and sign-in on the site, with a database',
  both: 'both, kept apart',
};

/** @param check - Throws a refusal of a target, which is then asked again. */
export async function askTarget(check: (target: string) => void, terminal: Terminal) {
  return answered(
    await text({
      ...terminal,
      message: 'What is the site’s name?',
      placeholder: 'framewise',
      defaultValue: 'framewise',
      validate: (target) => {
        try {
          check(target || 'framewise');
        } catch (error) {
          return isRefusal(error) ? error.message : String(error);
        }
        return undefined;
      },
    }),
  );
}

/** @param samples - The optional features. */
export async function askFeatures(given: Given, samples: readonly Feature[], terminal: Terminal) {
  const auth =
    given.auth ??
    answered(
      await select<AuthMode>({
        ...terminal,
        message: 'Whose accounts do people sign in to?',
        options: (Object.keys(modes) as AuthMode[]).map((value) => ({
          value,
          label: value,
          hint: modes[value],
        })),
      }),
    );
  const { framework = 'remix' } = given;
  if (given.without) return { auth, framework, without: given.without };
  const names = keptIn(samples, auth).map(({ name }) => name);
  const kept = answered(
    await multiselect({
      ...terminal,
      message: 'What does it begin with?',
      options: samples
        .filter(({ name }) => names.includes(name))
        .map(({ name, about }) => ({ value: name, label: name, hint: about })),
      initialValues: names,
      required: false,
    }),
  );
  return { auth, framework, without: names.filter((name) => !kept.includes(name)) };
}

export async function askWhether(message: string, initialValue: boolean, terminal: Terminal) {
  return answered(await confirm({ ...terminal, message, initialValue }));
}

/** @throws {Refusal} if what is shown is not wanted. */
export async function checkWanted(lines: readonly string[], terminal: Terminal): Promise<void> {
  note(lines.join('\n'), 'This will be done', { ...terminal, format: (line) => line });
  if (!(await askWhether('Go ahead?', true, terminal))) throw new Refusal(nothing);
}

const nothing = 'Nothing was changed.';

/** @throws {Refusal} if the question was canceled. */
function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Refusal(nothing);
  return answer as Exclude<Answer, symbol>;
}
