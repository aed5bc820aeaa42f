/** How results read: one line of upstream text, people's times, names with their ids (M11, M12). */
import { z } from 'zod';

/** The field that every tool's input has: `response_format: responseFormat` (M11). */
export const responseFormat = z
  .enum(['markdown', 'json'])
  .default('markdown')
  .describe('markdown to read, json for complete data.');

/** Controls and line ends, which would start a new line or hide text. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Direction marks, zero-width spaces and tag characters: text that people do not see and models do. */
const invisible =
  /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Anyone's text as one visible line.
 *
 * @param maxLength In UTF-16 units. What is over is cut, and `…` says so.
 */
export function oneLine(text: string, maxLength = Infinity): string {
  // Ten times the room is enough for what is visible, and hostile text can be of any length.
  const readable = text.length > maxLength * 10 ? text.slice(0, maxLength * 10) : text;
  const line = readable
    .toWellFormed()
    .replace(controls, ' ')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > maxLength || readable !== text
    ? `${line.slice(0, maxLength - 1).toWellFormed()}…`
    : line;
}

/**
 * What Markdown would take for markup: emphasis, code, links and images, HTML and entities, tables, and
 * at the start of a line headings, lists, quotes and rules. A mark inside a word (`user_1`, `C#`,
 * `a-b`) is none, and stays as it is.
 */
const markup = new RegExp(
  [
    '[\\\\`*[\\]<|~]',
    '&(?=#?\\w+;)',
    '(?<![\\p{L}\\p{N}_])_+',
    '_+(?![\\p{L}\\p{N}_])',
    '^#{1,6}(?=\\s|$)',
    '(?<=\\s)#+$',
    '^[-+](?=\\s|$)',
    '^(?:-{2,}|=+|>)',
    '(?<=^\\d{1,9})[.)](?=\\s|$)',
  ].join('|'),
  'gu',
);

/**
 * The most names, addresses and ids: Latin letters, digits and signs that mark nothing up, one space
 * at a time. Asked first, since it takes a tenth of the time of the rest.
 */
const plain =
  /^[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9.,:;'@/()+?-]|_(?=[A-Za-z0-9])(?<=[A-Za-z0-9]_)| (?=\S))*$/;

/**
 * Upstream text for a Markdown result: shown as the text that it is, on one line. A bare address stays
 * readable, and so may become a link to what it says.
 */
export function escapeMarkdown(text: string): string {
  if (plain.test(text)) return text;
  return oneLine(text).replace(markup, (marks) => marks.replace(/./gu, '\\$&'));
}

/** A display name, and the id that other tools take (M12). */
export function nameWithId(name: string, id: string): string {
  return `${escapeMarkdown(name)} (${escapeMarkdown(id)})`;
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

const isoTime = /^\d{4}-\d\d-\d\d(?:(T)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A time for people: `21 November 2026, 13:30 UTC`; a date alone has no time of day (M12).
 *
 * @param time ISO 8601 (UTC when it names no zone), or Unix time in seconds or in milliseconds: what
 *   is below 10¹¹ is taken for seconds. Anything else is shown as it came.
 */
export function humanTime(time: string | number): string {
  const [iso, clock, zone] = (typeof time === 'string' && isoTime.exec(time)) || [];
  let date = new Date(NaN);
  if (typeof time === 'number') date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  else if (iso !== undefined) date = new Date(clock && !zone ? `${iso}Z` : iso);
  if (Number.isNaN(date.getTime())) return escapeMarkdown(String(time));

  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
  return iso !== undefined && !clock ? day : `${day}, ${date.toISOString().slice(-13, -8)} UTC`;
}
