import { expect, test } from 'vitest';
import { xml } from './xml.ts';

test('texts are escaped, and cannot end their element or their attribute', () => {
  const title = `</title><script>"'&amp;`;
  expect(xml`<a href="${title}">${title}</a>`.toString()).toBe(
    '<a href="&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38;amp;">&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38;amp;</a>',
  );
  expect(xml`<p>]]>${']]>'}</p>`.toString()).toBe('<p>]]>]]&#62;</p>');
});

test('markup stays markup, also in lists', () => {
  const items = ['a&b', 'c'].map((text) => xml`<i>${text}</i>`);
  expect(xml`<all n="${2}">${items}${xml`<end/>`}</all>`.toString()).toBe(
    '<all n="2"><i>a&#38;b</i><i>c</i><end/></all>',
  );
});

test('characters that no XML document can have are left out', () => {
  expect(xml`${'a\u0000\u0008\u001f\ufffe\ud800b\t\n'}`.toString()).toBe('a\ufffdb\t\n');
});
