/** Secrets in the modern era: entered on a page of this server. */
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { metaOf, modernCall } from '../../../test/doubles/modern-messages.ts';
import {
  withReply,
  forms,
  textResult,
  send,
  start,
  type Questions,
  type Fields,
} from '../../../test/questions/question-probe.ts';
import { LightSignal } from '../../core/context/cancellation.ts';
import type { GivenSecret } from '../../core/context/tool-context.ts';
import type { Extra } from '../connection.ts';
import { secretReply } from './elicitation.ts';

describe('a secret', () => {
  const pages = metaOf({ elicitation: { url: {} } });
  const connect = (url: string, more: Fields = {}, meta = pages) =>
    send(url, modernCall('connect_account', {}, meta, more));
  const withPages = { sessions: { idleSeconds: 60, maxSessions: 10 } };

  const pageOf = ({ inputRequests }: Questions) => {
    const params: Fields = Object.values(inputRequests)[0]?.params ?? {};
    expect(params).toEqual({ mode: 'url', message: 'Your key', url: params['url'] });
    return String(params['url']);
  };
  const type = (page: string, secret: string) =>
    fetch(page, { method: 'POST', body: new URLSearchParams({ secret }) });

  test('is entered on a page of this server, and passed to the repeated call [M30]', async () => {
    const { url, state } = await start(withPages);
    const { questions } = await connect(url);
    const repeated = connect(url, withReply(questions, { action: 'accept' }));
    expect((await type(pageOf(questions), 'the-secret')).status).toBe(200);
    expect((await repeated).result).toMatchObject(textResult('{"action":"accept","value":{}}'));
    expect(state.secrets.get('local')).toBe('the-secret');
    const sealed = Buffer.from(questions.requestState.slice(3), 'base64url').toString('latin1');
    expect(sealed).not.toContain('the-secret');
  });

  test('that the user declined closes its page [M30]', async () => {
    const { url, state } = await start(withPages);
    const { questions } = await connect(url);
    const { result } = await connect(url, withReply(questions, { action: 'decline' }));
    expect(result).toMatchObject(textResult('{"action":"decline"}'));
    expect((await type(pageOf(questions), 'the-secret')).status).toBe(404);
    expect(state.secrets.size).toBe(0);
  });

  test.each(['before', 'while'])(
    'whose call is cancelled %s it waits closes its page',
    async (when) => {
      let close = (): void => undefined;
      const done = new Promise<GivenSecret | undefined>((resolve) => {
        close = () => {
          resolve(undefined);
        };
      });
      const page = { id: 'one', url: 'http://localhost/one', done, close };
      const signal = new LightSignal();
      if (when === 'before') signal.abort();
      const reply = secretReply('accept', page, { extra: { signal } as Extra });
      signal.abort();
      await expect(reply).rejects.toThrow();
      expect(await page.done).toBeUndefined();
    },
  );

  test('whose page is in another process is asked for again [M30]', async () => {
    const shared = { ...withPages, stateKeys: ['k'.repeat(32)] };
    const [here, there] = await Promise.all([start(shared), start(shared)]);
    const { questions } = await connect(here.url);
    const { result } = await connect(there.url, withReply(questions, { action: 'accept' }));
    expect(textOf(result)).toBe(
      'Error: No secret was given in time. Call this tool again for a new page.',
    );
  });

  test('requires a client that opens pages, and a server with a single process or sticky routing [M30]', async () => {
    const { url } = await start(withPages);
    const { status, error } = await connect(url, {}, forms);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    const stateless = await start();
    const { result } = await connect(stateless.url);
    expect(textOf(result)).toContain('MCP_SESSIONS=1');
  });
});
