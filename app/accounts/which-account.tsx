import { useHasSeveralIdentities } from '~/shell/features';

/** Beside another kind of account, each page of the site's own says so (W29). */
export function WhichAccount() {
  return useHasSeveralIdentities() && <p className="text-muted text-sm">Site account</p>;
}
