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
  const fail = () =>
    new FileProblem(
      ` is not valid JSON${notes > 0 ? ` after note ${notes}` : ''}. Correct it, or export it again.`,
    );
  const begin = (first: string) => {
    if (first !== '[' && first !== '{') throw fail();
    const started = new JSONParser({
      paths: [first === '[' ? '$.*' : '$.notes.*'],
      keepStack: false,
    });
    started.onToken = tokenCheck(fail);
    started.onValue = ({ value }) => {
      notes += 1;
      add(value);
    };
    started.onError = (error) => {
      throw error;
    };
    return started;
  };
  return {
    write: (text) => {
      const [first] = text.trimStart();
      if (!parser && first === undefined) return;
      parser ??= begin(first ?? '');
      try {
        parser.write(text);
      } catch (error) {
        throw error instanceof FileProblem || error instanceof ImportError ? error : fail();
      }
    },
    end: () => {
      if (!parser) throw new FileProblem(' is empty: leave it out.');
      if (!parser.isEnded) throw fail();
    },
  };
}

/** Rejects a file that nests too deeply, and what the parser would skip: values that are not in the list. */
function tokenCheck(fail: () => FileProblem) {
  let depth = 0;
  let isInObject = false;
  let previous: TokenType | undefined;
  let key: string | undefined;
  const reject = (name: string) =>
    new FileProblem(
      `, ${shortened(name)}: Write a list of notes, or an object with nothing but that list as "notes".`,
    );
  return ({ token, value }: Omit<ParsedTokenInfo, 'offset'>) => {
    if (depth === 0) isInObject = token === TokenType.LEFT_BRACE;
    if (depth === 1 && isInObject) {
      if (token === TokenType.STRING && previous !== TokenType.COLON) key = String(value);
      if (key !== undefined && key !== 'notes') throw reject(key);
      if (previous === TokenType.COLON && token !== TokenType.LEFT_BRACKET) throw reject('notes');
    }
    previous = token;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    if (depth > deepest) throw fail();
  };
}
