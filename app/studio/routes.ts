/** The studio's URLs, spread into those of the site. */
import { route } from '@remix-run/route-config';

export default [
  route('studio', 'studio/routes/studio.tsx'),
  route('api/generations', 'studio/routes/api.generations.ts'),
  route('api/generations/:id', 'studio/routes/api.generation.ts'),
];
