/** `npm run test:durability`: fifty kill rounds on each store, at random moments. */
import { killRounds } from './rounds';

killRounds(50);
