/** What people read of a site's settings, from their declarations. */
import { z } from 'zod';
import { settingsOf, type Setting, type SettingGroups } from './setting.ts';

const introduction =
  'The site refuses to start with an invalid setting and names it in one sentence. An empty setting counts as unset. `npm start -- --check-settings` prints what each is.';

/** The text of `.env.example`: each setting that has an example, with its description as a comment. */
export function envExample(groups: SettingGroups): string {
  const settings = settingsOf(groups).filter(([, { example }]) => example !== undefined);
  return (
    [
      '# Settings for production, from their declarations. Development and tests need none of them.',
      ...settings.map(([, { name, about, example = '' }]) => {
        const comment = wrapped(about.replaceAll('`', ''), 110).map((line) => `# ${line}`);
        return [...comment, `${name}=${example}`].join('\n');
      }),
    ].join('\n\n') + '\n'
  );
}

/** The page of the documents that lists the settings. */
export function settingsPage(groups: SettingGroups): string {
  const rows = settingsOf(groups).map(([, setting]) =>
    [`\`${setting.name}\``, defaultOf(setting), setting.about].map(cell).join(' | '),
  );
  const table = ['setting | default | description', '--- | --- | ---', ...rows];
  return ['# Settings', '', introduction, '', ...table.map((row) => `| ${row} |`), ''].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** Each setting's value, a line each; of a secret, whether it is set. */
export function settingsReport(
  groups: SettingGroups,
  env: Readonly<Record<string, unknown>>,
): string {
  return settingsOf(groups)
    .map(([key, { name, isSecret }]) => {
      const value = env[key] ?? '';
      if (value === '' || (Array.isArray(value) && value.length === 0)) return `${name}=(none)\n`;
      const isShown = !isSecret && textOf(value) !== null && !hasPassword(String(textOf(value)));
      return `${name}=${isShown ? textOf(value) : '(set, not shown)'}\n`;
    })
    .join('');
}

const hasPassword = (text: string) => URL.canParse(text) && new URL(text).password !== '';

/** The schema's own default, if a variable that is not set has one. */
function defaultOf({ schema, usually, problem }: Setting): string {
  if (usually !== undefined) return usually;
  const { data } = z.safeParse(schema, undefined);
  if (data === undefined) return problem ? 'required' : 'none';
  return `\`${textOf(data)}\``;
}

/** A value as it is set: lists are separated by spaces, and switches are 0 or 1. Null if it has no such text. */
function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    return texts.includes(null) ? null : texts.join(' ');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
