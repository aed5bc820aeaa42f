/** Runs each operation of the soak test once, and checks that it detects a server with wrong responses. */
import { expect, test } from 'vitest';
import { startServer, type ServerChanges } from '../test/doubles/http-server.ts';
import { createProbeService } from '../test/probes/probe-service.ts';
import { deeds } from './soak/load.ts';

async function start(changes: ServerChanges = {}) {
  const stateless = await startServer(changes);
  const sessions = await startServer({
    ...changes,
    sessions: { idleSeconds: 60, maxSessions: 10 },
  });
  return { stateless: stateless.url, sessions: sessions.url };
}

test.each(deeds)('%s succeeds', async (_, deed) => {
  await expect(deed(await start())).resolves.toBeUndefined();
});

const lying = createProbeService().tools.map((tool) => ({
  ...tool,
  handler: () => Promise.resolve({ text: 'something else' }),
}));

test.each(deeds.filter(([name]) => !name.startsWith('lists')))(
  '%s: a wrong response is detected',
  async (_, deed) => {
    const targets = await start({ service: { ...createProbeService(), tools: lying } });
    await expect(deed(targets)).rejects.toThrow();
  },
);
