/** `gatehouse-mcp server-json`: writes `server.json`, the server's entry for the MCP registry. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeSettings } from '../src/env.ts';
import { loadService } from '../src/served-service.ts';
import { folder, program } from './author-folder.ts';
import { readPackageManifest } from './shipping/manifest.ts';
import { registryEntry } from './shipping/registry-entry.ts';

const { settings } = await loadService(program);
const entry = registryEntry(readPackageManifest(folder), describeSettings(settings));
writeFileSync(path.join(folder, 'server.json'), `${JSON.stringify(entry, null, 2)}\n`);
