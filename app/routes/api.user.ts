/** `/api/user`: the only profile address that a browser knows (W03, W04). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { userRelayResponse } from '~/platform/user-relay.server';

export const loader = ({ request }: LoaderFunctionArgs) => userRelayResponse(request);
export const action = ({ request }: ActionFunctionArgs) => userRelayResponse(request);
