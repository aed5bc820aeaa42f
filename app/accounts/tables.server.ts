/** The tables of accounts, as Kysely knows them. What makes them is `migrations.server.ts`. */

import type { Flag, Timestamp } from '~/store/columns.server';

export interface AccountTables {
  account: {
    id: string;
    name: string;
    email: string;
    emailVerified: Flag;
    image: string | null;
    createdAt: Timestamp;
    updatedAt: Timestamp;
  };
  account_session: {
    id: string;
    account_id: string;
    /** A digest: what a browser holds is kept nowhere. */
    token: string;
    expiresAt: Timestamp;
    createdAt: Timestamp;
    updatedAt: Timestamp;
    ipAddress: string | null;
    userAgent: string | null;
  };
  /** How somebody proves to be the owner of an account: here a password's hash. */
  account_credential: {
    id: string;
    account_id: string;
    accountId: string;
    providerId: string;
    password: string | null;
    createdAt: Timestamp;
    updatedAt: Timestamp;
  };
  /** Links in mails that can be used once, by the digest of their token. */
  account_verification: {
    id: string;
    identifier: string;
    value: string;
    expiresAt: Timestamp;
    createdAt: Timestamp;
    updatedAt: Timestamp;
  };
  /** How often something was tried, by a digest of who tried it. */
  account_limit: {
    key: string;
    points: number;
    /** Milliseconds since 1970. */
    expire: number | string | null;
  };
}
