/** Which routes reach the SDK, in scripts like those of the build. */
import { expect, test } from 'vitest';
import { readCode } from './sdk-reach';

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
