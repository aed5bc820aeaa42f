import { useOtherIdentities } from '~/shell/features';

/** What this site calls its own accounts. */
export const accountName = 'Site account';

/** Beside another kind of account, each page of the site's own says so (W29). */
export function WhichAccount() {
  const isBeside = useOtherIdentities(accountName).length > 0;
  return isBeside && <p className="text-muted text-sm">{accountName}</p>;
}
