import type { Feature } from '~/shell/features';

export default { order: 4, menu: [{ to: '/notes', label: 'Notes' }] } satisfies Feature<undefined>;
