/** `npm run server-json`: writes `server.json`, the server's entry for the MCP registry. */
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { describeSettings } from '../src/env.ts';
import { loadService } from '../src/served-service.ts';
import { readPackageManifest } from './shipping/manifest.ts';
import { registryEntry } from './shipping/registry-entry.ts';

const { settings } = await loadService();
const entry = registryEntry(readPackageManifest(), describeSettings(settings));
const text = await format(JSON.stringify(entry), { parser: 'json', printWidth: 100 });
writeFileSync(new URL('../server.json', import.meta.url), text);
