/** `/api/*`: unknown API addresses, answered with JSON. */
import { refusal } from '@gatehouse/frame/server';
import type { RouteHandle } from '~/route-handle';

export const handle = { access: 'none' } satisfies RouteHandle;

export const loader = () => refusal(404, 'not_found');
export const action = () => refusal(404, 'not_found');
