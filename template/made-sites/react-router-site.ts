/** A site on React Router 8, installed as its owner would: with a Node that is new enough, from npm if this one is not. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyRepository, repository, type MadeSite } from './made-site';

/** The oldest Node that React Router 8 installs with. */
const oldest = 22;

export async function reactRouterSite(...args: string[]): Promise<MadeSite> {
  const site = await copyRepository();
  const node = await folderOfNode(site);
  const run: MadeSite['run'] = (...command) =>
    site.run('env', `PATH=${node}${path.delimiter}${process.env['PATH'] ?? ''}`, ...command);
  await site.run('npm', 'run', '--silent', 'init', '--', ...args, '--framework', 'react-router');
  // Links to this repository's packages, which are Remix's.
  for (const place of ['node_modules', 'mcp-server/node_modules']) {
    await rm(path.join(site.folder, place), { recursive: true, force: true });
  }
  await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund');
  return { ...site, run };
}

/** The folder of the program `node`. */
async function folderOfNode({ run }: MadeSite): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= oldest) return path.dirname(process.execPath);
  const place = path.join(repository, '.cache/node24');
  await mkdir(place, { recursive: true });
  await run('npm', 'install', '--prefix', place, '--no-audit', '--no-fund', 'node@24');
  return path.join(place, 'node_modules/node/bin');
}
