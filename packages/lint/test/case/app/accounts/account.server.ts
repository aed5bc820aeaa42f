/** Stands in for the site's own accounts, so that the tests pass in a site without them. */
export interface Account {
  id: string;
  name: string;
}
export type AccountResult = { ok: true; account: Account } | { ok: false; reason: string };
export declare function checkAccount(args: object): Promise<AccountResult>;
export declare function requireAccount(args: object): Promise<Account>;
export declare function rename(id: string, name: string): Promise<void>;
