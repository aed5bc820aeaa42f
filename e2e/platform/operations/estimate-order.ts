/** The cost of an order, and whether the balance covers it. */
import { jsonAnswer } from '@gatehouse/simulator';
import { workspaceGone, workspaceOf } from './acting';
import { isAspectRatio } from '@gatehouse/simulator/samples';
import { priceOf } from '../resources/prices';
import type { SiteOperation } from '../state';

export const estimateOrder = {
  name: 'estimate',
  method: 'GET',
  path: '/estimate',
  run(call) {
    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    const { persona, state, query } = call;
    const kind = query.get('kind');
    const count = Number(query.get('count') ?? 1);
    const references = Number(query.get('references') ?? 0);
    const isKnown =
      (kind === 'picture' || kind === 'clip') && isAspectRatio(query.get('aspect_ratio'));
    if (!isKnown || !isBetween(count, 1, 6) || !isBetween(references, 0, 4)) {
      return jsonAnswer(422, { error: 'invalid_order', message: 'No such order.' });
    }
    const each = priceOf(kind, references);
    const balance = state.credits.balance({ persona, workspace });
    return jsonAnswer(200, { total: each * count, each, balance, internal_trace: 'trace-canary' });
  },
} as const satisfies SiteOperation;

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
