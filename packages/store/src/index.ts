/** A site's store, its migrations' column types, and the error of a store that is unavailable. */
export * from './columns.ts';
export { joinMigrations, type Migrations } from './migrate.ts';
export {
  defineSchedule,
  scheduleMigrations,
  type ScheduledJob,
  type ScheduleOptions,
} from './schedule/schedule.ts';
export { defineStore, storeFile } from './store.ts';
export type { OpenStore, SiteStore, StoreOptions, StoreSettings } from './store.ts';
export { storeTime } from './store-time.ts';
export {
  isStoreUnavailable,
  StoreUnavailable,
  storeUnavailableResponse,
  unavailableIn,
  type UnavailableReason,
} from './unavailable.ts';
export { whileAvailable, type NotNow } from './while-available.ts';
