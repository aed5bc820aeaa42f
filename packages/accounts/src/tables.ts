/** The tables of accounts, as types for Kysely. Created by `migrations.server.ts`. */

import type { Flag, Timestamp } from '@gatehouse/store';

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
    /** A digest. The token itself is stored only in the browser. */
    token: string;
    expiresAt: Timestamp;
    createdAt: Timestamp;
    updatedAt: Timestamp;
    ipAddress: string | null;
    userAgent: string | null;
  };
  /** How an account's owner authenticates: here a password hash. */
  account_credential: {
    id: string;
    account_id: string;
    accountId: string;
    providerId: string;
    password: string | null;
    createdAt: Timestamp;
    updatedAt: Timestamp;
  };
  /** One-time links in mails, by the digest of their token. */
  account_verification: {
    id: string;
    identifier: string;
    value: string;
    expiresAt: Timestamp;
    createdAt: Timestamp;
    updatedAt: Timestamp;
  };
  /** The roles that accounts have now. */
  account_role: { account_id: string; role: string; granted_at: Timestamp };
  /** Every grant and withdrawal. `subject` is the id of an account, and outlives it. */
  role_change: {
    id: string;
    subject: string;
    role: string;
    change: 'granted' | 'withdrawn';
    changed_by: string;
    changed_at: Timestamp;
  };
  /** Mails that the mail server has not taken yet. */
  mail_outbox: {
    id: string;
    /** With `AUTH_SECRET`: its links have tokens. */
    sealed: string;
    attempts: number;
    due_at: Timestamp;
    created_at: Timestamp;
  };
  /** Counted attempts, by a digest of the account or address. */
  account_limit: {
    key: string;
    points: number;
    /** Milliseconds since the Unix epoch. */
    expire: number | string | null;
  };
}
