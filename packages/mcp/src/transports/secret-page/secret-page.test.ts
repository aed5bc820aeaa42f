import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { GivenSecret } from '../../core/context/tool-context.ts';
import { ToolError } from '../../core/result/errors.ts';
import { createLoopbackPages } from './loopback-pages.ts';
import { createSecretPages, type SecretPagesOptions } from './secret-page.ts';

/** Starts a server with one open page. */
async function openPage(options: Partial<SecretPagesOptions> = {}, prompt = 'Your key') {
  const server = createServer((incoming, response) => void pages.handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    pages.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pages = createSecretPages({ title: 'Probe', origin: () => origin, ...options });
  const stored: string[] = [];
  const given = new GivenSecret();
  const page = await pages.open({
    prompt,
    store(secret) {
      if (secret === 'refused') throw new ToolError('Another <one>, please.');
      if (secret === 'broken') throw new Error('planted words');
      stored.push(secret);
      return given;
    },
  });
  return { pages, page, origin, stored, given };
}

const post = (url: string, secret: string, headers: Record<string, string> = {}) =>
  request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ secret }).toString(),
  });

test('[M30] the page shows the prompt, and cannot be framed, cached or altered', async () => {
  const { page } = await openPage({ title: `Q&A's <b>` }, 'A <key> of "yours"');
  const { statusCode, headers, body } = await request(page.url);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  const html = await body.text();
  expect(html).toContain('<label for="secret">A &lt;key&gt; of &quot;yours&quot;</label>');
  expect(html).toContain('type="password"');
  expect(html).toContain('autocomplete="off"');
  expect(html.match(/Q&amp;A&#39;s &lt;b&gt;</g)).toHaveLength(2);
  expect(html).not.toMatch(/<script|<b>/);
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`'sha256-${digest}'`);
  const head = await request(page.url, { method: 'HEAD' });
  expect([head.statusCode, await head.body.text()]).toEqual([200, '']);
});

test('[M30] a secret is accepted once; then the page is closed', async () => {
  const { page, stored, given } = await openPage();
  expect((await post(page.url, ' s3cret ')).statusCode).toBe(200);
  expect(stored).toEqual(['s3cret']);
  expect(await page.done).toBe(given);
  expect((await post(page.url, 'again')).statusCode).toBe(404);
  expect((await request(page.url)).statusCode).toBe(404);
  expect(stored).toEqual(['s3cret']);
});

test('[M30] a form that was begun before the secret arrived and completed after it is rejected', async () => {
  const { page, stored } = await openPage();
  const { host, hostname, port, pathname } = new URL(page.url);
  const socket = connect(Number(port), hostname);
  const heard = new Promise<string>((resolve) => {
    let text = '';
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('close', () => {
        resolve(text);
      });
  });
  const lines = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, 'Expect: 100-continue'];
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11';
  socket.write([...lines, 'Connection: close', form, '', ''].join('\r\n'));
  // `100 Continue`: the form is being read.
  await once(socket, 'data');
  expect((await post(page.url, 'first')).statusCode).toBe(200);
  socket.write('secret=late');
  expect(await heard).toMatch(/HTTP\/1\.1 404 /);
  expect(stored).toEqual(['first']);
});

test.each([Buffer.from('secret=caf\u00e9', 'latin1'), 'secret=caf%E9'])(
  '[M30] a form that is not UTF-8 is rejected, %#',
  async (body) => {
    const { page, stored } = await openPage();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await request(page.url, { method: 'POST', headers, body });
    expect(response.statusCode).toBe(400);
    expect(await response.body.text()).toContain('it did not arrive as UTF-8.');
    expect(stored).toEqual([]);
  },
);

test.each([
  ['decomposed letters', '\u1f82'.normalize('NFD')],
  ['Hangul in letters', '\u{ac01}'.normalize('NFD')],
  ['emoji', '\u{1f600}'],
])('[M30] the longest value of %s is accepted', async (_, letter) => {
  const { page, stored } = await openPage();
  expect((await post(page.url, letter.repeat(8_193))).statusCode).toBe(400);
  expect((await post(page.url, letter.repeat(8_192))).statusCode).toBe(200);
  expect(stored).toEqual([letter.repeat(8_192)]);
});

test('[M30] a value is accepted on another of the server’s names', async () => {
  const other = await openPage();
  const { port, pathname } = new URL(other.page.url);
  const url = `http://localhost:${port}`;
  const inside = `${other.origin}${pathname}?from=mail`;
  const headers = { host: `localhost:${port}`, origin: url };
  expect((await post(inside, 'a', { ...headers, origin: `${url}0` })).statusCode).toBe(403);
  expect((await post(inside, 'a', headers)).statusCode).toBe(200);
  expect(other.stored).toEqual(['a']);
});

test('[M30] of two forms sent concurrently, one is accepted', async () => {
  const { page, stored } = await openPage();
  const responses = await Promise.all([post(page.url, 'first'), post(page.url, 'second')]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
  expect(stored).toHaveLength(1);
});

test.each([
  ['nothing', '', 'Enter a value of one line.'],
  ['two lines', 'a\nb', 'Enter a value of one line.'],
  ['too much', 'x'.repeat(8_193), 'Enter a value of at most 8192 characters.'],
  ['too many emoji', '\u{1f600}'.repeat(8_193), 'Enter a value of at most 8192 characters.'],
  ['a tab', 'a\tb', 'Enter a value of one line.'],
  ['what cannot be used', 'refused', 'Another &lt;one&gt;, please.'],
  ['what breaks its store', 'broken', 'This value cannot be used.'],
])('[M30] %s is rejected on the page, which stays open', async (_, secret, problem) => {
  const { page, stored } = await openPage();
  const { statusCode, body } = await post(page.url, secret);
  expect(statusCode).toBe(400);
  const html = await body.text();
  expect(html).toContain(`role="alert">${problem}</p>`);
  expect(html).toContain('aria-invalid="true"');
  expect(stored).toEqual([]);
  expect((await post(page.url, 'good')).statusCode).toBe(200);
});

test('[M30] a form of another origin, another type or another method is rejected', async () => {
  const { page, origin, stored } = await openPage();
  const status = async (headers: Record<string, string>) =>
    (await post(page.url, 'a', headers)).statusCode;
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await status({ 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  expect(await status({ origin: 'null' })).toBe(403);
  expect(await status({ 'content-type': 'text/plain' })).toBe(400);
  const put = await request(page.url, { method: 'PUT' });
  expect([put.statusCode, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  expect(stored).toEqual([]);
  expect(await status({ origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
});

test('[M30] behind a proxy that rewrites Host, the form is accepted from the address of the page', async () => {
  const { page, origin, stored } = await openPage({ origin: () => 'https://mcp.example.com' });
  expect(new URL(page.url).origin).toBe('https://mcp.example.com');
  const inside = new URL(new URL(page.url).pathname, origin).href;
  const from = { 'sec-fetch-site': 'same-origin', origin: 'https://mcp.example.com' };
  expect((await post(inside, 'a', { ...from, origin: 'https://evil.example' })).statusCode).toBe(
    403,
  );
  expect((await post(inside, 'a', from)).statusCode).toBe(200);
  expect(stored).toEqual(['a']);
});

test('[M30] a form that is cut off or far too large stores nothing and throws nothing', async () => {
  const { page, pages, stored } = await openPage();
  const failed = vi.fn();
  const handle = pages.handle.bind(pages);
  pages.handle = (...given) => handle(...given).catch(failed);
  const { hostname, port, pathname } = new URL(page.url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const say = (text: string, ...rest: string[]) =>
    new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(Number(port), hostname, () => {
        for (const part of [text, ...rest]) socket.write(part);
        if (rest.length === 0) setImmediate(() => socket.destroy());
      });
      socket
        .on('data', (chunk) => {
          heard += chunk.toString();
          if (heard.includes('</html>')) socket.destroy();
        })
        .on('error', () => undefined)
        .on('close', () => {
          resolve(heard);
        });
    });
  await say(`${head}Content-Length: 100\r\n\r\nsecret=a`);
  const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
  const parts = Array.from({ length: 32 }, () => chunk);
  expect(await say(`${head}Transfer-Encoding: chunked\r\n\r\n`, ...parts)).toMatch(
    /^HTTP\/1\.1 400 [^]+Enter a value of at most 8192 characters/,
  );
  expect((await request(page.url)).statusCode).toBe(200);
  expect(stored).toEqual([]);
  expect(failed).not.toHaveBeenCalled();
});

test('[M30] another key, another path or an expired page is a 404', async () => {
  const { page, pages, origin } = await openPage();
  for (const path of ['/connect/', '/connect/wrong', `/other/${page.id}`, `/connect/${page.id}`]) {
    expect((await request(origin + path)).statusCode).toBe(404);
  }
  expect((await request(page.url.replace('/connect/', '/CONNECT/'))).statusCode).toBe(404);
  pages.close();
  expect(await page.done).toBeUndefined();
  expect((await request(page.url)).statusCode).toBe(404);

  const brief = await openPage({ lifetimeMs: 1 });
  expect(await brief.page.done).toBeUndefined();
  expect((await request(brief.page.url)).statusCode).toBe(404);
});

test('[M30] the number of pages is limited, and each has its own address', async () => {
  const { page, pages } = await openPage({ maxPages: 2 });
  const second = await pages.open({ prompt: 'Another', store: () => new GivenSecret() });
  expect(second.url).not.toBe(page.url);
  await expect(pages.open({ prompt: 'One more', store: () => new GivenSecret() })).rejects.toThrow(
    new ToolError('Too many secrets are asked for at the moment. Try again later.'),
  );
  second.close();
  second.close();
  await pages.open({ prompt: 'One more', store: () => new GivenSecret() });
});

test('[M30] at most a hundred pages by default; a page whose address cannot be determined does not count', async () => {
  const origin = vi.fn<() => Promise<string>>().mockResolvedValue('http://localhost');
  const pages = createSecretPages({ title: 'Probe', origin });
  const request = { prompt: 'Your key', store: () => new GivenSecret() };
  origin.mockRejectedValueOnce(new Error('no port'));
  await expect(pages.open(request)).rejects.toThrow('no port');
  for (let opened = 0; opened < 100; opened += 1) await pages.open(request);
  await expect(pages.open(request)).rejects.toThrow(ToolError);
  pages.close();
});

test('[M30] over stdio, a port is open only while a page is, and accepts its own name only', async () => {
  const pages = createLoopbackPages('Probe');
  const page = await pages.open({ prompt: 'Your key', store: () => new GivenSecret() });
  const other = await pages.open({ prompt: 'Another', store: () => new GivenSecret() });
  expect(new URL(other.url).origin).toBe(new URL(page.url).origin);
  expect((await request(page.url, { headers: { host: 'evil.example' } })).statusCode).toBe(421);
  expect((await request(page.url)).statusCode).toBe(200);
  for (const path of ['//', '//[', '*']) expect(await statusOf(page.url, path)).toBe(404);
  expect((await post(page.url, 'a')).statusCode).toBe(200);
  expect((await request(other.url)).statusCode).toBe(200);
  other.close();
  await expect
    .poll(() =>
      request(page.url).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  const later = await pages.open({ prompt: 'Later', store: () => new GivenSecret() });
  expect((await request(later.url)).statusCode).toBe(200);
  pages.close();
});

/** Returns the status of a GET whose target is not a valid URL path. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
