/** Authenticates callers (M31). Tools, resources and transports receive the result, the caller. */
import type { Caller } from '../../core/context/tool-context.ts';
import { checkBearer } from './bearer.ts';
import type { Middleware } from '../gate/exchange.ts';
import { checkAccessToken, type OAuthOptions } from './oauth.ts';

export type Authentication =
  /** Every process on this machine. Startup fails if other machines can reach the address. */
  | { readonly kind: 'none' }
  /** A single secret shared by all callers. */
  | { readonly kind: 'bearer'; readonly token: string }
  /** A secret for each named caller. Tools and the wrapped service see different callers. */
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
