/** All mistakes. Each has a row in the table of docs/security.md. */
import { responses } from './responses';
import { calls } from './calls';
import { files } from './files';
import { frame } from './frame';
import { guard } from './guard';
import type { Mistake } from './mistake';
import { outages } from './outages';
import { people } from './people';
import { signedOut } from './signed-out';

export const mistakes: readonly Mistake[] = [
  ...guard,
  ...people,
  ...calls,
  ...responses,
  ...files,
  ...frame,
  ...signedOut,
  ...outages,
];
