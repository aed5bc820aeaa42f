/** The platform's part of the home page. */
import type { HomePart } from '../home-part';
import { Welcome } from './welcome';

export default {
  order: 1,
  point: {
    title: 'Your platform account',
    text: 'You sign in on the platform. This site never sees your password.',
  },
  Welcome,
} satisfies HomePart;
