/** The addresses of resources: `/api/`, and those that `resources` of app/site.config.ts names. */
import { SettingError } from '../settings/setting.ts';
import { decoded } from './request-checks.ts';

/** A path, or a folder with everything in it: `/feed.xml`, `/webhooks/*`. */
const spelling = /^(\/[\w.~-]+)+(\/\*)?$/;

/** What answers there is not a route of the site. */
const taken = /^\/(api|assets|healthz|readyz|__auth)(\/|$)|\.data$/i;

/**
 * Whether a path is a resource's, in any spelling that the router matches: percent-encoded, in upper case, or with a slash
 * at its end.
 *
 * @param named paths outside `/api/`.
 * @throws {SettingError} for one that is none, or is not the site's to give.
 */
export function resourcePaths(named: readonly string[] = []): (pathname: string) => boolean {
  for (const path of named) {
    if (!spelling.test(path) || path.split('/').some((part) => /^\.{1,2}$/.test(part)))
      throw refusal(path, 'is not a path such as `/feed.xml`, or a folder such as `/webhooks/*`');
    if (taken.test(path)) throw refusal(path, 'is reserved');
  }
  const patterns = ['/api/*', ...named].map((path) => {
    const [literal = '', folder] = path.split('/*');
    return literal.replaceAll('.', '\\.') + (folder === undefined ? '/?$' : '(/|$)');
  });
  const pattern = new RegExp(`^(${patterns.join('|')})`, 'i');
  return (pathname) => pattern.test(decoded(pathname));
}

function refusal(path: string, fault: string): SettingError {
  return new SettingError(`\`resources\` of app/site.config.ts: ${path} ${fault}.`);
}
