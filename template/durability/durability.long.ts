/** `npm run test:durability`: fifty kills of each kind, at random moments. */
import { killRounds } from './rounds';

killRounds(50);
