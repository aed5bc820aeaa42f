/** This site's database, with the tables of `migrations.server.ts`. */
import { log } from '@gatehouse/server/log';
import { defineStore, joinMigrations } from '@gatehouse/store';
import { siteEnv } from './env.server';
import * as registry from './migrations.server';

/** Those of all products. */
export const migrations = joinMigrations(registry);

export const { store, openStore, closeStore } = defineStore({
  url: () => siteEnv().databaseUrl,
  migrations,
  onProblem: (error) => {
    log.warn({ err: error }, 'store error');
  },
});
