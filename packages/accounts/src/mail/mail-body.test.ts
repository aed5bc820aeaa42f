/** The two bodies of a mail. */
import { expect, test } from 'vitest';
import { mailBody } from './mail-body.ts';

test('the text shows where a link leads, and the HTML has it as a link', () => {
  const href = 'https://site.example/orders?id=1&new';
  expect(mailBody(['Hello.\nAda', { href, label: 'Your order' }])).toEqual({
    text: `Hello.\nAda\n\nYour order:\n${href}`,
    html: [
      '<!doctype html>',
      '<meta charset="utf-8">',
      '<p dir="auto">Hello.<br>',
      'Ada</p>',
      '<p dir="auto"><a href="https://site.example/orders?id=1&amp;new">Your order</a></p>',
      '',
    ].join('\n'),
  });
});

test('whatever a visitor typed is text in the HTML', () => {
  const { html } = mailBody([
    '<img src=x onerror=alert(1)> & "more"',
    { href: 'https://site.example/"><script>', label: '</a><script>' },
  ]);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;more&quot;');
  expect(html).toContain(
    '<a href="https://site.example/%22%3E%3Cscript%3E">&lt;/a&gt;&lt;script&gt;</a>',
  );
});

test.each(['/orders', 'javascript:alert(1)', 'mailto:ada@example.org', ''])(
  'a link to %j is refused: a mail has no page that it could be relative to',
  (href) => {
    expect(() => mailBody([{ href, label: 'Here' }])).toThrow('whole address');
  },
);
