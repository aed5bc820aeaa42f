import type { Feature } from '~/shell/features';

export default {
  order: 3,
  menu: [{ to: '/studio', label: 'Studio' }],
} satisfies Feature<undefined>;
