/** `/api/*`: an address that is no resource, answered as one. */
import { refusal } from '~/platform/sdk/api-answers.server';

export const loader = () => refusal(404, 'not_found');
export const action = () => refusal(404, 'not_found');
