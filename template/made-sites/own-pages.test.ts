/**
 * A site's own home page and a public page that read the store, a menu of its own and settings of its own leave the
 * tests green that came with the template.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, init } from './made-site';

const migrations = `import type { Kysely } from 'kysely';
import { columnsOf } from '@gatehouse/store';

export const shopMigrations = {
  '2026_11_25_wares': {
    async up(db: Kysely<unknown>) {
      const table = db.schema.createTable('ware');
      await table.addColumn('id', columnsOf(db).id, (column) => column.primaryKey()).execute();
    },
  },
};
`;

const page = `import { useLoaderData } from '@remix-run/react';
import type { RouteHandle } from '~/route-handle';
import { store } from '~/store.server';

export const handle = { access: 'none' } satisfies RouteHandle;

export async function loader() {
  return await store<{ ware: { id: string } }>().selectFrom('ware').selectAll().execute();
}

export default function Wares() {
  return <h1>{useLoaderData<typeof loader>().length} wares</h1>;
}
`;

test('pages, menu and settings of a site’s own leave the existing tests green', async () => {
  const site = await copyRepository({ history: false });
  onTestFinished(site.remove);
  await init(site, 'shop', '--auth', 'both', '--without', 'studio,notes,mcp');

  const edit = async (file: string, place: RegExp, text: string) => {
    const before = await readFile(path.join(site.folder, file), 'utf8');
    expect(before, file).toMatch(place);
    await site.write(file, before.replace(place, text));
  };
  await site.write('app/shop/migrations.server.ts', migrations);
  await site.write('app/shop/routes/wares.tsx', page);
  await site.write('app/routes/home.tsx', page);
  await site.run('rm', 'app/routes/home.test.tsx');
  await edit(
    'app/migrations.server.ts',
    /^export \{ accountMigrations.*\n/m,
    "$&export { shopMigrations as shop } from './shop/migrations.server';\n",
  );
  await edit('app/routes.ts', /(?= *route\('api\/\*')/, "route('wares', 'shop/routes/wares.tsx'),");
  await edit('app/site.config.ts', /label: 'Home' \}/, "$&, { to: '/wares', label: 'Wares' }");
  const wares =
    "$&\n  wares: { name: 'WARES', schema: z.coerce.number().default(7), about: 'Wares of a page.' },";
  await edit('app/site-settings.server.ts', /export default \{/, wares);
  await edit('app/site-settings.server.ts', /^import/m, "import { z } from 'zod';\n$&");

  await site.run('npx', 'tsc', '--noEmit');
  await site.run('npx', 'vitest', 'run', 'app/env', '-u');
  await site.run('npx', 'vitest', 'run', 'app/env', 'app/routes', 'app/server');
}, 300_000);
