/** Notes as JSON, parsed as it arrives. */
import { JSONParser, TokenType, type ParsedTokenInfo } from '@streamparser/json';
import { FileProblem, ImportError, shortened, type FileReader } from './reading.server';

/** `{ "notes": [{ "tags": [` has four. The parser needs some 300 bytes of memory for each level. */
const deepest = 8;

/**
 * A list of notes, or an object with nothing but that list as `notes`, as the export writes it.
 *
 * @param add called with each note, unchecked.
 */
export function jsonReader(add: (value: unknown) => void): FileReader {
  let parser: JSONParser | undefined;
  let notes = 0;
  const place = () => (notes > 0 ? ` after note ${notes}` : '');
  const begin = (first: string) => {
    const checks = [
      listCheck(place),
      repeatCheck((depth) => (depth > 1 || first === '[' ? `, note ${notes + 1}` : '')),
    ];
    return parserOf(first === '[' ? '$.*' : '$.notes.*', checks, (value) => {
      notes += 1;
      add(value);
    });
  };
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (error instanceof FileProblem || error instanceof ImportError) throw error;
      throw new FileProblem(` is not valid JSON${place()}. Correct it, or export it again.`);
    }
  };
  return {
    write: (text) => {
      const [first] = text.trimStart();
      if (!parser && first === undefined) return;
      const started = (parser ??= begin(first ?? ''));
      attempt(() => {
        started.write(text);
      });
    },
    end: () => {
      const started = parser;
      if (!started) throw new FileProblem(' is empty: leave it out.');
      attempt(() => {
        if (!started.isEnded) started.end();
      });
    },
  };
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
