/** Stands in for the declarations of the installed package. */
import type { Query } from '../store';

export interface Account {
  id: string;
  name: string;
}
export interface PassedAccountGuard {
  readonly ok: true;
  readonly account: Account;
}
export interface FailedAccountGuard {
  readonly ok: false;
  readonly reason: string;
}
export interface OpenAccountGuard<Tables> extends PassedAccountGuard {
  readonly db: Query & { tables?: Tables };
}
export declare function defineAccounts(site: object): {
  checkAccount: (args: object) => Promise<PassedAccountGuard | FailedAccountGuard>;
  requireAccount: <Tables>(args: object) => Promise<OpenAccountGuard<Tables>>;
  changeName: (call: object, name: string) => Promise<void>;
};
