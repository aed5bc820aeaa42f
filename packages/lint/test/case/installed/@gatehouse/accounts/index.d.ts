/** Stands in for the declarations of the installed package. */
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
export declare function defineAccounts(site: object): {
  checkAccount: (args: object) => Promise<PassedAccountGuard | FailedAccountGuard>;
  requireAccount: (args: object) => Promise<PassedAccountGuard>;
  changeName: (call: object, name: string) => Promise<void>;
};
