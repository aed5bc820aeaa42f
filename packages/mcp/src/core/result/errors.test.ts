/** The contract's table of error texts, compared exactly. */
import { describe, expect, test } from 'vitest';
import {
  errorText,
  isUnexpected,
  ToolError,
  ToolOutputError,
  UpstreamConnectionError,
  UpstreamResponseError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from './errors.ts';

describe('errors with a row in the table', () => {
  test.each<[number, string]>([
    [404, 'Error: Resource not found. Please check the ID is correct.'],
    [403, "Error: Permission denied. You don't have access to this resource."],
    [429, 'Error: Rate limit exceeded. Please wait before making more requests.'],
    [401, 'Error: Invalid API authentication'],
    [302, 'Error: API request failed with status 302'],
    [400, 'Error: API request failed with status 400'],
    [500, 'Error: API request failed with status 500'],
    [503, 'Error: API request failed with status 503'],
  ])('[M32 M33] upstream status %i', (status, text) => {
    expect(errorText(new UpstreamStatusError(status))).toBe(text);
    expect(isUnexpected(new UpstreamStatusError(status))).toBe(false);
  });

  test('[M32 M33] a timeout', () => {
    const late = new UpstreamTimeoutError('GET https://internal.example/users took 30 s');
    expect(errorText(late)).toBe('Error: Request timed out. Please try again.');
    expect(isUnexpected(late)).toBe(false);
  });

  test('[M33] the message of a ToolError is returned unchanged', () => {
    const known = new ToolError('There is a project of that name. Choose another.');
    expect(errorText(known)).toBe('Error: There is a project of that name. Choose another.');
    expect(isUnexpected(known)).toBe(false);
  });

  test('[M33] a message that contains a whole answer of the service is cut', () => {
    const text = errorText(new ToolError('\u{1f600}'.repeat(500_000)));
    expect(text).toBe(`Error: ${'\u{1f600}'.repeat(4_999)}…`);
  });
});

class Mislabelled extends Error {
  override readonly name = 'secret at /etc/passwd';
}

describe('other errors', () => {
  const bare = new Error('x');
  Object.defineProperty(bare, 'constructor', { value: undefined });
  const odd = new Error('x');
  Object.defineProperty(odd, 'constructor', { value: { name: 'no function' } });
  const nameless = class extends Error {};
  Object.defineProperty(nameless, 'name', { value: 'two words\n# markup' });

  test.each<[unknown, string]>([
    [new UpstreamConnectionError('connect ECONNREFUSED 10.0.0.1:80'), 'UpstreamConnectionError'],
    [new UpstreamResponseError('<html>token=abc</html>'), 'UpstreamResponseError'],
    [new ToolOutputError('example_search_users', new Error('users.0.id')), 'ToolOutputError'],
    [new TypeError('x of undefined'), 'TypeError'],
    [new DOMException('x', 'AbortError'), 'DOMException'],
    [new Mislabelled('x'), 'Mislabelled'],
    [new nameless('x'), 'Error'],
    [bare, 'Error'],
    [odd, 'Error'],
    ['a string', 'string'],
    [undefined, 'undefined'],
    [null, 'object'],
    [{ message: 'x', constructor: { name: 'Evil' } }, 'object'],
  ])('[M32] %s is reported by the name of its type only', (error, name) => {
    expect(errorText(error)).toBe(`Error: Unexpected error occurred: ${name}`);
    expect(isUnexpected(error)).toBe(true);
  });
});
