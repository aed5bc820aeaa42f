/** The site accounts' part of the home page. */
import type { HomePart } from '~/shell/home-part';
import { AccountWelcome } from './account-welcome';

export default {
  order: 2,
  point: {
    title: 'Your site account',
    text: 'What you store here is kept in an account on this site. You can export or delete its data at any time.',
  },
  Welcome: AccountWelcome,
} satisfies HomePart;
