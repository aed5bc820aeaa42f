/** `npm run reference`: writes the public interface into `docs/reference.md`. */
import { writeFileSync } from 'node:fs';
import { renderReference } from './reference-page.ts';

writeFileSync(new URL('../../docs/reference.md', import.meta.url), await renderReference());
