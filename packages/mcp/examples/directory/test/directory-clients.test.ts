/**
 * Every tool, resource and prompt of the example, with a real client, over each transport, and with the running
 * service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  type ElicitResult,
  type LoggingMessageNotification,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startExampleService, type ExampleService } from '../api/api.ts';
import { clientTransport } from '../../../test/doubles/client-transport.ts';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { listening } from '../../../test/programs/served.ts';
import { compiled } from '../../../test/programs/started-program.ts';

const exampleProgram = compiled('examples/directory/main.js');

const token = 'planted-t0ken-77c1';
const personalToken = 'personal-usr_0042';

interface Program {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** What it has written to stderr. */
  readonly log: () => string;
  readonly stop: () => Promise<unknown>;
}

function startStdio(env: Record<string, string>): Program {
  let log = '';
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [exampleProgram],
    env,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (text: Buffer) => (log += text.toString()));
  // Closing the client ends the program.
  return { transport, log: () => log, stop: () => Promise.resolve() };
}

async function startHttp(env: Record<string, string>): Promise<Program> {
  let log = '';
  const child = spawn(process.execPath, [exampleProgram, '--http'], {
    env: { MCP_PORT: '0', ...env },
  });
  const ended = once(child, 'close');
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  return {
    transport: clientTransport(await listening(child)),
    log: () => log,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const roads = [
  { road: 'stdio', start: startStdio, elicits: true },
  { road: 'HTTP', start: startHttp, elicits: false },
  {
    road: 'HTTP with sessions',
    start: (env: Record<string, string>) => startHttp({ ...env, MCP_SESSIONS: '1' }),
    elicits: true,
  },
];

describe.each(roads)('over $road', ({ start, elicits }) => {
  const called = new Set<string>();
  let service: ExampleService;
  let client: Client;
  let program: Program;
  const logged: LoggingMessageNotification['params'][] = [];
  let reply: (url?: string) => Promise<ElicitResult> | ElicitResult;

  beforeAll(async () => {
    service = await startExampleService({ token, exportStepMs: 30 });
    program = await start({
      EXAMPLE_API_BASE_URL: service.url,
      EXAMPLE_API_TOKEN: token,
      LOG_LEVEL: 'debug',
    });
    client = new Client(
      { name: 'test', version: '0' },
      { capabilities: { elicitation: { form: {}, url: {} } } },
    );
    client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
      reply('url' in params ? params.url : undefined),
    );
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      logged.push(params);
    });
    await client.connect(program.transport);
  });

  afterEach(() => {
    for (const secret of [token, personalToken]) expect(program.log()).not.toContain(secret);
  });

  // If all tests ran, every tool must have been called.
  // eslint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures are asked for.
  afterAll(async ({}, { tasks: tests }) => {
    const { tools } = await client.listTools();
    await client.close();
    await program.stop();
    await service.close();
    if (tests.every(({ result }) => result?.state === 'pass'))
      expect([...called].sort()).toEqual(tools.map(({ name }) => name));
  });

  async function call(
    name: string,
    args: object = {},
    options?: Parameters<Client['callTool']>[2],
  ) {
    called.add(name);
    const params = { name, arguments: { ...args } };
    const result = await client.callTool(params, undefined, options);
    return {
      text: textOf(result),
      data: result.structuredContent as Record<string, unknown>,
      content: result.content as unknown[],
    };
  }

  test('[M16 M28 M29] searches page by page, in both formats', async () => {
    const first = await call('example_search_users', { query: 'an', limit: 2 });
    expect(first.text).toMatch(/^# .*an/);
    expect(first.data).toMatchObject({ count: 2, offset: 0, has_more: true, next_offset: 2 });
    const next = await call('example_search_users', {
      query: 'an',
      limit: 2,
      offset: first.data.next_offset,
      response_format: 'json',
    });
    expect(JSON.parse(next.text)).toEqual(next.data);
    expect(next.data.users).not.toEqual(first.data.users);
    expect((await call('example_search_users', { query: 'zzzzzz' })).text).toBe(
      "No users found matching 'zzzzzz'",
    );
  });

  test('[M03] reads a profile in one call', async () => {
    const { data } = await call('example_get_user_profile', { user_id: 'usr_0042' });
    expect(JSON.stringify(data)).toContain('usr_0042');
  });

  if (elicits)
    test('[M10 M23] creates and lists a project, keeps it when the user declines, and deletes it when they agree', async () => {
      const { data } = await call('example_create_project', { name: 'Clients', tags: ['one'] });
      const id = String(data.id);
      const listed = async () => JSON.stringify((await call('example_list_projects')).data);
      expect(await listed()).toContain(id);
      reply = () => ({ action: 'decline' });
      expect((await call('example_delete_project', { project_id: id })).data.deleted).toBe(false);
      expect(await listed()).toContain(id);
      reply = () => ({ action: 'accept', content: { value: true } });
      expect((await call('example_delete_project', { project_id: id })).data.deleted).toBe(true);
      expect(await listed()).not.toContain(`"${id}"`);
    });

  test('[M19 M21 M22 M25] an export reports progress, logs, and creates a readable document', async () => {
    const steps: number[] = [];
    const { data, content } = await call(
      'example_export_directory',
      {},
      {
        onprogress: ({ progress }) => {
          steps.push(progress);
        },
      },
    );
    const uri = String(data.uri);
    expect(content.slice(1)).toEqual([
      expect.objectContaining({ type: 'resource_link', uri, mimeType: 'text/plain' }),
    ]);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    const own = logged.filter((entry) => JSON.stringify(entry.data).includes(String(data.id)));
    expect(own.map(({ level }) => level)).toEqual(['info', 'info']);
    // Negative control: the log that tests check for secrets is actually written.
    await expect.poll(program.log).toContain('Export started');
    const { contents } = await client.readResource({ uri });
    expect(contents[0]).toMatchObject({
      mimeType: 'text/plain',
      text: expect.any(String) as string,
    });
  });

  test('[M21] cancelling an export ends it, and the next call works', async () => {
    const cancel = new AbortController();
    const exporting = call(
      'example_export_directory',
      {},
      {
        signal: cancel.signal,
        onprogress: () => {
          cancel.abort();
        },
      },
    );
    await expect(exporting).rejects.toThrow();
    expect((await call('example_list_projects')).data).toHaveProperty('total');
  });

  if (elicits)
    test('[M30 M31] an account is connected on a page, and later calls use it', async () => {
      reply = async (url = '') => {
        const page = await fetch(url);
        expect(await page.text()).toContain('Your personal API token of the directory');
        const kept = await fetch(url, {
          method: 'POST',
          body: new URLSearchParams({ secret: personalToken }),
        });
        expect(kept.status).toBe(200);
        return { action: 'accept' };
      };
      const { data, text } = await call('example_connect_account');
      expect(data).toMatchObject({ connected: true, account: { id: 'usr_0042' } });
      expect(text).not.toContain(personalToken);
    });

  if (!elicits)
    test('[M10 M23] without elicitation nothing is deleted, and the text explains why', async () => {
      const { data } = await call('example_create_project', { name: 'Clients', tags: ['one'] });
      const id = String(data.id);
      const refused = await call('example_delete_project', { project_id: id });
      expect(refused.text).toMatch(/^Error: The user cannot be asked over this connection/);
      expect(JSON.stringify((await call('example_list_projects')).data)).toContain(`"${id}"`);
    });

  if (!elicits)
    test('[M30] without elicitation the text names the setting for the secret', async () => {
      const { text } = await call('example_connect_account');
      expect(text).toMatch(/^Error: .*EXAMPLE_API_TOKEN/);
    });

  test('[M19 M20] lists, completes and reads resources', async () => {
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(2);
    for (const { uri } of resources) {
      expect((await client.readResource({ uri })).contents).toHaveLength(1);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    for (const { uriTemplate } of resourceTemplates) {
      const [, name = ''] = /\{(\w+)\}/.exec(uriTemplate) ?? [];
      const ref = { type: 'ref/resource', uri: uriTemplate } as const;
      const { completion } = await client.complete({ ref, argument: { name, value: '' } });
      expect(completion.values.length).toBeGreaterThan(0);
    }
    const missing = await client.readResource({ uri: 'config://settings/none' });
    expect(missing.contents).toEqual([expect.objectContaining({ text: '{}' })]);
    for (const uri of ['file://documents/..%2f..%2fetc%2fpasswd', 'file:///etc/passwd']) {
      await expect(client.readResource({ uri })).rejects.toThrow('Resource not found');
    }
  });

  test('renders every prompt', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    for (const { name, arguments: known = [] } of prompts) {
      const args = Object.fromEntries(
        known.filter(({ required }) => required).map((argument) => [argument.name, 'Ada']),
      );
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(JSON.stringify(messages)).toContain('Ada');
    }
  });
});
