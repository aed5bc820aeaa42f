#!/usr/bin/env node
/** `npm create gatehouse`. The archive is this release's template: `release.ts`. */
import { create, ownTerminal, runCommand } from '@gatehouse/create';

const template = new URL('template.json.br', import.meta.url);
await runCommand(() =>
  create(process.argv.slice(2), {
    template,
    cwd: process.cwd(),
    terminal: ownTerminal(),
    userAgent: process.env['npm_config_user_agent'],
  }),
);
