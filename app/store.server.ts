/** This site's database, with the tables of `migrations.server.ts`. */
import { log } from '@gatehouse/server/log';
import { defineStore } from '@gatehouse/store';
import { siteEnv } from './env.server';
import { migrations } from './migrations.server';

export const { store, openStore, closeStore } = defineStore({
  url: () => siteEnv().databaseUrl,
  migrations,
  onProblem: (error) => {
    log.warn({ err: error }, 'store error');
  },
});
