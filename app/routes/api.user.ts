/** `/api/user`: the only profile address that a browser knows (W03, W04). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { userRelayResponse } from '~/platform.server';
import type { RouteHandle } from '~/route-handle';

export const handle = { access: 'none' } satisfies RouteHandle;

export const loader = ({ request }: LoaderFunctionArgs) => userRelayResponse(request);
export const action = ({ request }: ActionFunctionArgs) => userRelayResponse(request);
