// @ts-check
/**
 * The interface of turbo-stream 2 that Remix 2.17 uses, implemented with turbo-stream 3.
 *
 * Why: docs/decisions/0002-turbo-stream-3.md. Differences in version 3 are compensated before encoding: every
 * value is first converted to a tree of arrays, plain objects, maps, sets and `Tagged` values, which both
 * versions treat alike. Both ends must use this package, because the wire format is version 3's.
 */
import { decode as decode3, encode as encode3 } from 'turbo-stream-3';

/** A value that is encoded as a type name and its fields. */
class Tagged {
  /** @type {unknown[]} */
  fields;

  /** @param {unknown[]} fields */
  constructor(fields) {
    this.fields = fields;
  }
}

// Cannot collide with Remix's own names, which start with a letter.
const PROMISE = '$promise';
const SETTLED = '$settled';
const REGEXP = '$regexp';
const ERROR = '$error';
const NULL_OBJECT = '$null';

/** @type {typeof import('./index.js').encode} */
export function encode(value, { plugins = [], postPlugins = [], signal } = {}) {
  let reading = true;
  /** @type {(reason: unknown) => void} */
  let stop = () => {};
  /** @type {Promise<never>} */
  const stopped = new Promise((_, reject) => (stop = reject));
  stopped.catch(() => {});
  const abort = () => stop(signal?.reason ?? new Error('Signal was aborted.'));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);

  const prepare = preparer(plugins, postPlugins, stopped);
  const bytes = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      try {
        // Wrapped in an array, because version 3 resolves a root promise before it returns.
        const reader = encode3([prepare(value)], {
          // A new array each time, because version 3 cannot read the reference it writes for a repeated one.
          plugins: [(tagged) => tagged instanceof Tagged && copyFields(tagged)],
        }).getReader();
        for (;;) {
          const { done, value: text } = await reader.read();
          if (done) break;
          if (reading) controller.enqueue(bytes.encode(text));
        }
        if (reading) controller.close();
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    cancel(reason) {
      // Version 3 must be read to its end: cancelling it ends the process with an unhandled rejection.
      reading = false;
      stop(reason ?? new Error('The reader has gone.'));
    },
  });
}

/** @type {typeof import('./index.js').decode} */
export async function decode(stream, { plugins = [] } = {}) {
  const text = new TextDecoderStream();
  const done = stream.pipeTo(/** @type {WritableStream<Uint8Array>} */ (text.writable));
  done.catch(() => {});
  try {
    const [value] = /** @type {[unknown]} */ (
      await decode3(text.readable, { plugins: [restore, ...plugins, refuse] })
    );
    return { value, done };
  } catch (error) {
    await text.readable.cancel().catch(() => {});
    // Remix aborts a load when the visitor navigates elsewhere, and ignores its result: a thrown error would
    // only appear in the console.
    if (error instanceof DOMException && error.name === 'AbortError') return { value: {}, done };
    throw error;
  }
}

/** @type {import('./index.js').DecodePlugin} */
function restore(type, ...fields) {
  if (type === PROMISE) {
    const [promise] = /** @type {[Promise<unknown>]} */ (fields);
    // It may reject before anything listens to it, which is not an error to report.
    promise.catch(() => {});
    return { value: promise };
  }
  if (type === ERROR) {
    const [name, message] = /** @type {[string, string]} */ (fields);
    const Constructor = errors.find((known) => known.name === name) ?? Error;
    return { value: new Constructor(message) };
  }
  if (type === SETTLED) return { value: fields[0] };
  if (type === REGEXP) {
    const [source, flags] = /** @type {[string, string]} */ (fields);
    return { value: new RegExp(source, flags) };
  }
  if (type === NULL_OBJECT) {
    return { value: Object.setPrototypeOf(fields[0], null) };
  }
}

// An explicit list rather than a lookup among globals, which was the vulnerability.
const errors = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

/** @returns {never} */
function refuse() {
  throw new SyntaxError('Unknown type in the stream');
}

/** @param {Tagged} tagged */
function copyFields(tagged) {
  return /** @type {[string, ...unknown[]]} */ ([...tagged.fields]);
}

/**
 * @param {import('./index.js').EncodePlugin[]} plugins
 * @param {import('./index.js').EncodePlugin[]} postPlugins
 * @param {Promise<never>} stopped
 */
function preparer(plugins, postPlugins, stopped) {
  /**
   * Each object is converted once: shared references stay shared, and cycles terminate. @type {Map<unknown,
   * unknown>}
   */
  const prepared = new Map();

  /**
   * @template T
   * @param {unknown} source
   * @param {T} target
   */
  const remember = (source, target) => {
    prepared.set(source, target);
    return target;
  };

  /**
   * @param {unknown} source
   * @param {unknown[]} fields
   */
  const tag = (source, [type, ...fields]) => {
    const tagged = remember(source, new Tagged([type]));
    for (const field of fields) tagged.fields.push(prepare(field));
    return tagged;
  };

  /**
   * @param {import('./index.js').EncodePlugin[]} candidates
   * @param {unknown} value
   */
  const callPlugins = (candidates, value) => {
    for (const plugin of candidates) {
      const result = plugin(value);
      if (Array.isArray(result)) return tag(value, result);
    }
  };

  /**
   * @param {unknown} value
   * @param {string} problem
   */
  const fallBack = (value, problem) => {
    const result = callPlugins(postPlugins, value);
    if (!result) throw new Error(problem);
    return result;
  };

  /** @param {unknown} reason */
  const failure = (reason) =>
    prepare(reason instanceof Error ? reason : new Error('An unknown error occurred'));

  /** @param {Promise<unknown>} promise */
  const deferred = (promise) => {
    const settled = Promise.race([stopped, promise])
      // Tagged, because version 3 fails on a settled `[]` or `{}` while another promise is pending.
      .then((result) => new Tagged([SETTLED, prepare(result)]))
      .catch((reason) => {
        throw failure(reason);
      });
    // Version 3 adds its own handler only later.
    settled.catch(() => {});
    return new Tagged([PROMISE, settled]);
  };

  /**
   * @param {object} source
   * @param {Record<string, unknown>} target
   */
  const copyEntries = (source, target) => {
    for (const [key, entry] of Object.entries(source)) {
      // Defined rather than assigned, because assigning `__proto__` would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(target, key, { enumerable: true, writable: true });
      target[key] = prepare(entry);
    }
    return target;
  };

  /**
   * @param {unknown} value
   * @returns {unknown}
   */
  function prepare(value) {
    if (prepared.has(value)) return prepared.get(value);
    if (typeof value === 'symbol') {
      return Symbol.keyFor(value) === undefined
        ? fallBack(value, 'Cannot encode symbol unless created with Symbol.for()')
        : value;
    }
    if (typeof value === 'function') {
      return (
        callPlugins(plugins, value) ?? fallBack(value, 'Cannot encode function or unexpected type')
      );
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const array = remember(value, /** @type {unknown[]} */ ([]));
      for (const entry of value) array.push(prepare(entry));
      return array;
    }
    const tagged = callPlugins(plugins, value);
    if (tagged) return tagged;
    if (value instanceof Date || value instanceof URL) return value;
    // Version 3 counts a regular expression twice, which would shift later references.
    if (value instanceof RegExp) return tag(value, [REGEXP, value.source, value.flags]);
    if (value instanceof Set) {
      const set = remember(value, new Set());
      for (const entry of value) set.add(prepare(entry));
      return set;
    }
    if (value instanceof Map) {
      const map = remember(value, new Map());
      for (const [key, entry] of value) map.set(prepare(key), prepare(entry));
      return map;
    }
    if (value instanceof Promise) return remember(value, deferred(value));
    if (value instanceof Error) return tag(value, [ERROR, value.name, value.message]);
    if (Object.getPrototypeOf(value) === null) {
      /** @type {Record<string, unknown>} */
      const plain = {};
      remember(value, new Tagged([NULL_OBJECT, plain]));
      copyEntries(value, plain);
      return prepared.get(value);
    }
    if (isPlain(value)) return copyEntries(value, remember(value, {}));
    return fallBack(value, 'Cannot encode object with prototype');
  }

  return prepare;
}

/** An object of this realm or of another one. @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    Object.getOwnPropertyNames(prototype).sort().join('\0') === plainNames
  );
}

const plainNames = Object.getOwnPropertyNames(Object.prototype).sort().join('\0');
