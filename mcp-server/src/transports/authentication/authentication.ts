/** Who may call: the one place that decides (M31). A tool, a resource and a transport are told the caller. */
import type { Caller } from '../../core/context/tool-context.ts';
import { checkBearer } from './bearer.ts';
import type { Middleware } from '../gate/exchange.ts';
import { checkAccessToken, type OAuthOptions } from './oauth.ts';

export type Authentication =
  /** Everyone on this machine. Refused for an address that others reach. */
  | { readonly kind: 'none' }
  /** One secret shared by those who may call. */
  | { readonly kind: 'bearer'; readonly token: string }
  /** A secret for each of them, by their names: to tools and to the wrapped service they are different callers. */
  | { readonly kind: 'named bearers'; readonly tokens: ReadonlyMap<string, string> }
  /** Access tokens of an authorization server. */
  | ({ readonly kind: 'oauth' } & OAuthOptions);

export function authenticate(authentication: Authentication): Middleware {
  switch (authentication.kind) {
    case 'none':
      return letIn({ id: 'local' });
    case 'bearer':
      return checkBearer([[authentication.token, { id: 'bearer' }]]);
    case 'named bearers':
      return checkBearer(
        [...authentication.tokens].map(([name, token]) => [token, { id: `bearer:${name}`, name }]),
      );
    case 'oauth':
      return checkAccessToken(authentication);
  }
}

function letIn(caller: Caller): Middleware {
  return (exchange) => {
    exchange.caller = caller;
    return undefined;
  };
}
