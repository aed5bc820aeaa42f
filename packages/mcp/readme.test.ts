/** The README's tool, called through a double of its service. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createUpstream,
  defineService,
  type ServiceDefinition,
  type Upstream,
} from '@gatehouse/mcp';
import { startService } from '@gatehouse/mcp/testing/service-double';
import { json, startUpstreamDouble } from '@gatehouse/mcp/testing/upstream-double';
import { expect, onTestFinished, test } from 'vitest';

type Tool = ServiceDefinition<{ upstream: Upstream }>['tools'][number];

test('the example reads a team', async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
  const [, code = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text);
  await mkdir(path.join(folder, '.cache'), { recursive: true });
  const place = await mkdtemp(path.join(folder, '.cache/readme-'));
  onTestFinished(() => rm(place, { recursive: true }));
  const file = path.join(place, 'get-team.ts');
  await writeFile(file, code);
  const { getTeam } = (await import(pathToFileURL(file).href)) as { getTeam: Tool };

  const double = await startUpstreamDouble();
  onTestFinished(() => double.close());
  const service = await startService(
    defineService({
      name: 'acme_mcp',
      title: 'Acme',
      instructions: 'Teams.',
      tools: [getTeam],
      resources: [],
      prompts: [],
      start() {
        const upstream = createUpstream({ baseUrl: double.url, timeoutMs: 30_000 });
        return {
          state: { upstream },
          isReady: () => Promise.resolve(true),
          stop: () => upstream.close(),
        };
      },
    }),
  );
  onTestFinished(() => service.close());
  double.reply(json({ id: 't1', name: 'Tools' }));
  const { text } = await service.call('acme_get_team', { id: 't1' });
  expect(text).toBe('# Tools (t1)');
});
