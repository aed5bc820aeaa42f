/** The studio's routes, spread into the site's. */
import { route } from '@remix-run/route-config';

export default [
  route('studio', 'studio/routes/studio.tsx'),
  route('credits', 'studio/routes/credits.tsx'),
  route('api/generations', 'studio/routes/api.generations.ts'),
  route('api/generations/events', 'studio/routes/api.generation-events.ts'),
  route('api/generations/archive', 'studio/routes/api.generation-archive.ts'),
  route('api/generations/estimate', 'studio/routes/api.estimate.ts'),
  route('api/generations/:id', 'studio/routes/api.generation.ts'),
  route('api/generations/:id/cancel', 'studio/routes/api.generation-cancel.ts'),
  route('api/generations/:id/restore', 'studio/routes/api.generation-restore.ts'),
  // The target of every generation's `output.url`.
  route('api/generations/:id/:file', 'studio/routes/api.generation-output.ts'),
  route('api/media', 'studio/routes/api.media.ts'),
  route('api/media/:id', 'studio/routes/api.media-item.ts'),
  // The target of every upload's `url`.
  route('api/media/:id/:file', 'studio/routes/api.media-file.ts'),
  route('api/workspaces', 'studio/routes/api.workspaces.ts'),
  route('api/credits', 'studio/routes/api.credits.ts'),
];
