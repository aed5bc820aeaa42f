/** The platform's page: its files, and its live feed. */
import { request } from 'node:http';

import { describe, expect, it } from 'vitest';

import { printShop } from '../../test/print-shop.ts';
import { openTestSite } from '../testing/test-platform.ts';
import { visit } from '../../test/visit.ts';

const { platform, site } = await openTestSite(printShop);

/** Opens the page's live feed, and collects everything that it sends. */
async function openFeed(): Promise<{ received: () => string; close: () => void }> {
  const { host, port } = new URL(platform.platformUrl);
  let received = '';
  const feed = request({ host: '127.0.0.1', port, path: '/__platform/feed', headers: { host } });
  feed.on('error', () => undefined);
  await new Promise<void>((opened) => {
    feed
      .once('response', (incoming) => {
        incoming.on('error', () => undefined);
        incoming.on('data', (data: Buffer) => {
          received += data.toString();
          opened();
        });
      })
      .end();
  });
  return {
    received: () => received,
    close: () => {
      feed.destroy();
    },
  };
}

describe('the platform’s page', () => {
  it.each([
    '/',
    '/page.css',
    '/page.js',
    '/control.js',
    '/people-view.js',
    '/faults-view.js',
    '/ledger-view.js',
    '/favicon.svg',
  ])('serves %s under a strict policy', async (path) => {
    const { status, headers } = await visit(platform, path, { to: 'platform' });
    expect(status).toBe(200);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain(`frame-src ${platform.siteOrigin}`);
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  it.each(['/nothing', '/../platform.ts', '/page/index.html', '/toString', '/__auth/login'])(
    'answers 404 to %s',
    async (path) => {
      expect((await visit(platform, path, { to: 'platform' })).status).toBe(404);
    },
  );

  it('is read-only', async () => {
    const { status } = await visit(platform, '/', { to: 'platform', method: 'POST' });
    expect(status).toBe(405);
  });
});

describe('the page’s feed', () => {
  it('sends each call as it happens', async () => {
    const feed = await openFeed();
    await site.as(platform.sessions.createCookie('ada')).call('GET', '/user');
    platform.ledger.clear();
    await expect.poll(feed.received).toContain('event: cleared');
    expect(feed.received()).toContain('"outcome":"pending"');
    expect(feed.received()).toContain('"outcome":"answered"');
    feed.close();
  });

  it('reports the frame’s navigations, by document and on the client', async () => {
    const feed = await openFeed();
    const data = { 'sec-fetch-dest': 'empty' };
    for (const [path, headers, method] of [
      ['/shop?a=1', { 'sec-fetch-dest': 'iframe' }],
      ['/tab', { 'sec-fetch-dest': 'document' }],
      ['/account.data?tab=plan', data],
      ['/_root.data', data],
      ['/_.data', data],
      ['/prints/_.data?a=1', data],
      ['/api/user', data],
      ['/prefetched.data', { ...data, 'sec-purpose': 'prefetch' }],
      ['/fetched.data?_routes=routes/shop', data],
      ['/submitted.data', data, 'POST'],
      ['/last.data', data],
    ] as const) {
      await visit(platform, path, { headers, method: method ?? 'GET' });
    }
    await expect.poll(feed.received).toContain('/last');
    const pages = [...feed.received().matchAll(/^event: page\ndata: (.*)$/gm)];
    expect(pages.map(([, json = '']) => (JSON.parse(json) as { path: string }).path)).toEqual([
      '/shop?a=1',
      '/account?tab=plan',
      '/',
      '/',
      '/prints/?a=1',
      '/last',
    ]);
    feed.close();
  });
});
