/** Which routes reach the SDK, in scripts like those of the build. */
import { expect, test } from 'vitest';
import { readCode } from './sdk-reach.ts';

const chunk = `
function createPlatformSdk(guard) { return { guard }; }
const checkPlatformUser = async () => ({ ok: true });
const makeSdk = createPlatformSdk;
const helper = { order: (guard) => makeSdk(guard).order() };
export { late } from './late.js';
export { checkPlatformUser as c, helper as h, createPlatformSdk as p };
`;

const index = `
import { c as checkPlatformUser, h as helper, p as createPlatformSdk, late } from './assets/chunk.js';
async function loader$1() { return checkPlatformUser(); }
async function action$1({ context }) { return createPlatformSdk(await checkPlatformUser(context)).order(); }
const route1 = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.defineProperty({
  __proto__: null, action: action$1, loader: loader$1
}, Symbol.toStringTag, { value: "Module" }));
const loader = async () => deeper();
function deeper() { const order = helper.order; return order({}); }
const route2 = Object.freeze(Object.defineProperty({ __proto__: null, loader }, Symbol.toStringTag, { value: "Module" }));
const createPlatformSdk$1 = "a word in a sentence about createPlatformSdk";
const words = () => ({ createPlatformSdk: 1, of: "helper" });
const route3 = { __proto__: null, loader: words };
const route4 = { __proto__: null, loader: async () => (await import('./assets/late.js')).late(), action: () => late() };
const routes = {
  "routes/orders": { id: "routes/orders", module: route1 },
  "routes/deep": { id: "routes/deep", module: route2 },
  "routes/words": { id: "routes/words", module: route3 },
  "routes/late": { id: "routes/late", module: route4 }
};
export { routes };
`;

const late = `
import { p as createPlatformSdk } from './chunk.js';
const late = () => createPlatformSdk().order();
export { late };
`;

const code = readCode(
  new Map([
    ['/build/index.js', index],
    ['/build/assets/chunk.js', chunk],
    ['/build/assets/late.js', late],
  ]),
);

test.each([
  ['routes/orders', 'action', true, 'a direct call'],
  ['routes/orders', 'loader', false, 'the guard alone'],
  ['routes/deep', 'loader', true, 'helpers, another file and an alias'],
  ['routes/words', 'loader', false, 'a property key and a string'],
  ['routes/late', 'loader', true, 'a dynamic import'],
  ['routes/late', 'action', true, 'a re-export'],
])('%s, %s: reaches the SDK is %s (%s)', (route, handler, reaches) => {
  expect(code.reachesSdk(route, handler)).toBe(reaches);
});

test('a route that is not in the scripts is null', () => {
  expect(code.reachesSdk('routes/elsewhere', 'loader')).toBeNull();
});

/** The package in the build, and the site's connection to the platform. */
const bundled = `
function createGuard() { return { checkPlatformUser: async () => ({ ok: true }) }; }
function definePlatform(options) {
  function createPlatformSdk(guard) { return options.sdk(guard); }
  return { ...createGuard(), createPlatformSdk, async requirePlatformSdk(args) { return createPlatformSdk(args); } };
}
const { checkPlatformUser, createPlatformSdk } = definePlatform({ sdk: (calls) => ({ calls }) });
const platform = definePlatform({ sdk: (calls) => ({ calls }) });
const { checkPlatformUser: check, createPlatformSdk: open, requirePlatformSdk: both } = platform;
export { checkPlatformUser as c, createPlatformSdk as p, check, open as o, both as b, platform };
`;

/** The package outside the build. */
const installed = `
import { definePlatform as define } from '@gatehouse/platform/server';
const { checkPlatformUser, createPlatformSdk } = define({ sdk: (calls) => ({ calls }) });
export { checkPlatformUser as c, createPlatformSdk as p };
`;

const routes = `
import { c as checkPlatformUser, p as createPlatformSdk, check, o as open, b as both, platform } from './platform.js';
function definePlatform$1() { return createPlatformSdk({}); }
const root = async () => checkPlatformUser();
const uncalled = async () => createPlatformSdk({}).order();
const renamed = { __proto__: null, loader: async () => check(), action: async () => open({}).order() };
const member = { __proto__: null, loader: async () => platform.checkPlatformUser(), action: async () => platform.createPlatformSdk({}).order() };
const taken = { __proto__: null, loader: async () => { const { checkPlatformUser: ask } = platform; return ask(); }, action: async () => { const { createPlatformSdk: make } = platform; return make({}).order(); } };
const opened = { __proto__: null, loader: async (args) => (await both(args)).sdk.order(), action: async (args) => { const { sdk } = await platform.requirePlatformSdk(args); return sdk.order(); } };
const own = { __proto__: null, loader: async () => definePlatform$1().order() };
const route0 = { __proto__: null, loader: root, action: uncalled };
const routes = {
  "root": { id: "root", module: route0 },
  "routes/renamed": { id: "routes/renamed", module: renamed },
  "routes/member": { id: "routes/member", module: member },
  "routes/taken": { id: "routes/taken", module: taken },
  "routes/opened": { id: "routes/opened", module: opened },
  "routes/own": { id: "routes/own", module: own }
};
export { routes };
`;

const scripts = (platform: string) =>
  readCode(
    new Map([
      ['/build/index.js', routes],
      ['/build/platform.js', platform],
    ]),
  );

test.each([
  ['in the build', bundled],
  ['outside it', installed],
])(
  'with the package %s, a loader that only checks reaches no SDK, and a call without the guard does',
  (_, platform) => {
    const { reachesSdk } = scripts(platform);
    expect(reachesSdk('root', 'loader')).toBe(false);
    expect(reachesSdk('root', 'action')).toBe(true);
  },
);

test.each([
  ['routes/renamed', 'loader', false, 'the guard under another name'],
  ['routes/renamed', 'action', true, 'the SDK under another name'],
  ['routes/member', 'loader', false, 'the guard as a member'],
  ['routes/member', 'action', true, 'the SDK as a member'],
  ['routes/taken', 'loader', false, 'the guard, destructured inside a function'],
  ['routes/taken', 'action', true, 'the SDK, destructured inside a function'],
  ['routes/opened', 'loader', true, 'guard and SDK in one, under another name'],
  ['routes/opened', 'action', true, 'guard and SDK in one, as a member'],
  ['routes/own', 'loader', true, 'a function of the site that has the package’s name'],
])('%s, %s: reaches the SDK is %s (%s)', (route, handler, reaches) => {
  expect(scripts(bundled).reachesSdk(route, handler)).toBe(reaches);
});
