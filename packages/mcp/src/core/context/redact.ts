/** Prepares arbitrary data for a log: redacts secrets, and bounds depth and size (M22). */
import { LRUCache } from 'lru-cache';

/** Matches a field name in lower case without separators. */
const secretName =
  /token|secret|passw|passphrase|authori[sz]ation|cookie|apikey|accesskey|privatekey|credential|sessionid|^auth$|^pwd$|^jwt$/;

/** Matches the name of a count, such as `maxTokens`, whose number is no secret. */
const countName = /tokens$|token(count|limit|budget|usage)$/;

/** Secrets in text: after an authentication scheme, after a secret's name, and as user information in a URL. */
const secretText: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)(\s+)[\w.~+/-]+=*/gi, '$1$2[redacted]'],
  // A header's value has spaces and semicolons, and ends with its quotes or its line.
  [
    /((?:authori[sz]ation|cookie)\\*["']?\s*[=:])(?!\s*\\*["']?(?:bearer|basic)\b)\s*(?:\\*"[^"]*"?|\\*'[^']*'?|[^\s"'\\][^\r\n]*)/gi,
    '$1 [redacted]',
  ],
  [
    /((?:token|secret|passw(?:or)?d|passphrase|(?:api|access|private)[_-]?key(?:[_-]?id)?|credentials?|session[_-]?id|\b(?:auth|pwd|jwt))[\\"']*\s*[=:]\s*[\\"']*)[^\s\\"'&#,;]+/gi,
    '$1[redacted]',
  ],
  [/(:\/\/)[^\s/@?#]+@/g, '$1[redacted]@'],
];
/**
 * Prefilter: a match of any pattern above contains one of these, so that most text is searched once instead of
 * three times.
 */
const secretStart =
  /bearer|basic|auth|cookie|token|secret|pass|key|credential|session|pwd|jwt|:\/\//i;

const maxDepth = 6;
const maxValues = 500;
/** In UTF-16 code units. */
const maxTextLength = 2_000;

/** Returns the text for a log. Secrets that their context identifies become `[redacted]`. */
export function redactText(text: string, maxLength = maxTextLength): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  const whole = short.toWellFormed();
  if (!secretStart.test(whole)) return whole;
  return secretText.reduce((safe, [secret, mark]) => safe.replace(secret, mark), whole);
}

/**
 * Returns a copy in plain JSON values. A value whose field name means a secret, such as `token`, `password` or
 * `api_key`, becomes `[redacted]` at any depth. A cycle, or a value beyond a limit, becomes a marker in brackets.
 *
 * @param options `stack`: whether to keep an error's stack. Only for the server's own log.
 */
export function redact(value: unknown, { stack = false }: { stack?: boolean } = {}): unknown {
  const above = new Set<object>();
  let left = maxValues;

  function copy(part: unknown, levels: number): unknown {
    if (typeof part === 'string') return redactText(part);
    if (typeof part === 'number') return Number.isFinite(part) ? part : String(part);
    if (typeof part === 'bigint') return String(part);
    if (typeof part === 'function' || typeof part === 'symbol') return `[${typeof part}]`;
    if (typeof part !== 'object' || part === null) return part;
    if (above.has(part)) return '[circular]';
    if (levels === 0) return '[too deep]';
    above.add(part);
    try {
      return copyObject(part, levels - 1);
    } catch {
      // A getter or a proxy threw.
      return '[unreadable]';
    } finally {
      above.delete(part);
    }
  }

  function copyObject(part: object, levels: number): unknown {
    if (part instanceof Date) return Number.isNaN(part.getTime()) ? null : part.toISOString();
    if (part instanceof URL) return redactText(part.href);
    if (ArrayBuffer.isView(part)) return `[${part.byteLength} bytes]`;
    if (part instanceof Error) return copyNamed(errorEntries(part, stack), levels);
    if (part instanceof Map) return copyNamed(part.entries(), levels);
    if (Array.isArray(part) || part instanceof Set)
      return copyList(part as Iterable<unknown>, levels);
    return copyNamed(ownEntries(part), levels);
  }

  function copyList(items: Iterable<unknown>, levels: number): unknown[] {
    const list: unknown[] = [];
    for (const item of items) {
      if (left-- <= 0) return [...list, '[more]'];
      list.push(copy(item, levels));
    }
    return list;
  }

  function copyNamed(entries: Iterable<[unknown, unknown]>, levels: number): object {
    const named: Record<string, unknown> = {};
    for (const [key, item] of entries) {
      if (left-- <= 0) {
        named['[more]'] = true;
        break;
      }
      const { name, isSecret, isCount } = readName(key);
      const isSeen = item === undefined || item === null || (isCount && typeof item === 'number');
      const isHidden = isSecret && !isSeen;
      const safe = isHidden ? '[redacted]' : copy(item, levels);
      // Assigning to `__proto__` would set the prototype; here it must become an ordinary property.
      if (name === '__proto__')
        Object.defineProperty(named, name, { value: safe, enumerable: true });
      else named[name] = safe;
    }
    return named;
  }

  return copy(value, maxDepth);
}

interface Name {
  readonly name: string;
  readonly isSecret: boolean;
  readonly isCount: boolean;
}

/** Caches the classification by field name: log lines of one kind repeat the same names. */
const readNames = new LRUCache<string, Name>({ max: 1_000 });

const longestName = 100;

function readName(key: unknown): Name {
  if (typeof key !== 'string') return { name: `[${typeof key}]`, isSecret: false, isCount: false };
  const known = readNames.get(key);
  if (known) return known;
  const name = redactText(key, longestName);
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const read = { name, isSecret: secretName.test(plain), isCount: countName.test(plain) };
  if (key.length <= longestName) readNames.set(key, read);
  return read;
}

/** A generator, so that iteration over an object with a million fields stops at the limit. */
function* ownEntries(part: object): Generator<[string, unknown]> {
  for (const name in part) {
    if (Object.hasOwn(part, name)) yield [name, (part as Record<string, unknown>)[name]];
  }
}

function* errorEntries(error: Error, stack: boolean): Generator<[string, unknown]> {
  yield ['type', error.name];
  yield ['message', error.message];
  if (stack) yield ['stack', error.stack];
  if (error.cause !== undefined) yield ['cause', error.cause];
  yield* ownEntries(error);
}
