/** What accounts need of a site. Each function of this package takes it first; `defineAccounts` binds them to it. */
import type { SiteStore } from '@gatehouse/store';

export interface AccountsSite {
  /** Called with each use, so that a build loads the module without settings. */
  settings: () => AccountsSettings;
  /** The site's database, with the tables of `accountMigrations`. */
  store: SiteStore['store'];
  log: AccountsLog;
  /**
   * The network whose attempts count together; null for an address that may be every visitor's, such as a proxy's:
   * `@gatehouse/server/client-address` has it.
   */
  networkOf: (address: string) => string | null;
  /** The words of a mail. */
  mailOf: (mail: AccountMail, link: MailLink) => MailWords;
  /** What forms say that are refused whatever they are about. */
  formMessages: {
    /** Too many attempts. It does not reveal whether the account exists. */
    limited: (minutes: number) => string;
    /** Another account has signed in since the form's page was loaded. */
    otherAccount: string;
  };
  /** The page to sign in at, which reads the way back from `return`. */
  signInPath: string;
  /** The roles that accounts can have, such as `admin`. Default: none. */
  roles?: readonly string[];
  /** Where a member downloads a file of a kind (`@gatehouse/accounts/files`): the export of an account names it. */
  fileAddress?: (file: { kind: string; id: string }) => string;
}

export interface AccountsSettings {
  mode: 'development' | 'production' | 'test';
  /** The site's origin as visitors' browsers see it. */
  siteOrigin: string;
  /** CSP sources that may frame the site. */
  frameAncestors: readonly string[];
  /**
   * Secrets that sign the cookies and links of accounts: the current one, then the previous one. Without any, a
   * development server makes one and keeps it.
   */
  authSecrets: readonly string[];
  /** The mail server. Null: no mail. */
  smtpUrl: string | null;
  /** The sender address of mail. */
  mailFrom: string;
}

/** As `pino` logs. */
export interface AccountsLog {
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

export type AccountMail =
  | 'verification'
  | 'already-signed-up'
  | 'reset'
  | 'password-changed'
  | 'email-change-requested'
  | 'email-changed'
  | 'account-deleted';

/** The address of a page of the site, with the mail's token if it has one. */
export type MailLink = (path: string) => string;

export interface MailWords {
  subject: string;
  /** Plain text alone, so that recipients can see where a link leads. */
  text: string;
}
