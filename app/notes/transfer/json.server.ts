/** Notes as JSON, parsed bit by bit. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { JSONParser, TokenType, type ParsedTokenInfo } from '@streamparser/json';
import { FileProblem, shortened } from './reading.server';

/** `{ "notes": [{ "tags": [` has four. The parser needs some 300 bytes of memory for each level. */
const deepest = 8;

/** Bytes that are parsed before other requests have a turn. */
const atOnce = 64 * 1024;

/**
 * A list of notes, or an object with nothing but that list as `notes`, as the export writes it.
 *
 * @throws {FileProblem}
 */
export async function* notesInJson(text: string): AsyncGenerator {
  const [first] = text.trimStart();
  if (first === undefined) throw new FileProblem(' is empty: leave it out.');
  const found: unknown[] = [];
  let notes = 0;
  const place = () => (notes > 0 ? ` after note ${notes}` : '');
  const checks = [
    listCheck(place),
    repeatCheck((depth) => (depth > 1 || first === '[' ? `, note ${notes + 1}` : '')),
  ];
  const parser = parserOf(first === '[' ? '$.*' : '$.notes.*', checks, (value) => {
    notes += 1;
    found.push(value);
  });
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += atOnce) {
      parser.write(bytes.subarray(at, at + atOnce));
      yield* found.splice(0);
      await yieldToEventLoop();
    }
    if (!parser.isEnded) parser.end();
  } catch (error) {
    yield* found.splice(0);
    if (error instanceof FileProblem) throw error;
    throw new FileProblem(` is not valid JSON${place()}. Correct it, or export it again.`);
  }
}

/**
 * Parses a whole text.
 *
 * @throws {FileProblem} if a member is repeated in an object.
 * @throws {Error} if it is not valid JSON.
 */
export function parseJson(text: string): unknown {
  let result: unknown;
  const parser = parserOf('$', [repeatCheck(() => '')], (value) => {
    result = value;
  });
  parser.write(text);
  if (!parser.isEnded) parser.end();
  return result;
}

const scalars = [
  TokenType.STRING,
  TokenType.NUMBER,
  TokenType.TRUE,
  TokenType.FALSE,
  TokenType.NULL,
];

type TokenCheck = (token: Omit<ParsedTokenInfo, 'offset'>) => void;

function parserOf(
  path: string,
  checks: readonly TokenCheck[],
  add: (value: unknown) => void,
): JSONParser {
  const parser = new JSONParser({ paths: [path], keepStack: false });
  parser.onToken = (token) => {
    for (const check of checks) check(token);
  };
  parser.onValue = ({ value }) => {
    add(value);
  };
  parser.onError = (error) => {
    throw error;
  };
  return parser;
}

/** Rejects a file that nests too deeply, and what the parser would skip: values that are not in the list. */
function listCheck(place: () => string): TokenCheck {
  let depth = 0;
  let isInObject = false;
  let previous: TokenType | undefined;
  let key: string | undefined;
  const reject = (name = '') =>
    new FileProblem(
      `${name && `, ${shortened(name)}`}: Write a list of notes, or an object with nothing but that list as "notes".`,
    );
  return ({ token, value }) => {
    if (depth === 0) {
      isInObject = token === TokenType.LEFT_BRACE;
      if (scalars.includes(token)) throw reject();
    }
    if (depth === 1 && isInObject) {
      if (token === TokenType.STRING && previous !== TokenType.COLON) key = String(value);
      if (key !== undefined && key !== 'notes') throw reject(key);
      if (previous === TokenType.COLON && token !== TokenType.LEFT_BRACKET) throw reject('notes');
    }
    previous = token;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    if (depth > deepest)
      throw new FileProblem(
        ` is nested too deeply${place()}: a note has only texts, and a list of tags.`,
      );
  };
}

/**
 * Rejects an object that repeats a member: a parser keeps only the last.
 *
 * @param place where a member of an object at this depth is.
 */
function repeatCheck(place: (depth: number) => string): TokenCheck {
  /** The members of each open object, and null for each open list. */
  const open: (Set<unknown> | null)[] = [];
  let previous: TokenType | undefined;
  return ({ token, value }) => {
    const names = open.at(-1);
    if (names && token === TokenType.STRING && previous !== TokenType.COLON) {
      if (names.has(value)) {
        const sentence = `“${shortened(String(value))}” is there twice. Keep one of them.`;
        throw new FileProblem(`${place(open.length)}: ${sentence}`);
      }
      names.add(value);
    }
    previous = token;
    if (token === TokenType.LEFT_BRACE) open.push(new Set());
    if (token === TokenType.LEFT_BRACKET) open.push(null);
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) open.pop();
  };
}
