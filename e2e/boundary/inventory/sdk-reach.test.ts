/** Which routes reach the SDK, in scripts such as the build writes. */
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
  ['routes/orders', 'action', true, 'by its own name'],
  ['routes/orders', 'loader', false, 'not at all: the guard is no operation'],
  ['routes/deep', 'loader', true, 'through helpers, another file and another name'],
  ['routes/words', 'loader', false, 'in a key alone'],
  ['routes/late', 'loader', true, 'in a file that is imported as it runs'],
  ['routes/late', 'action', true, 'by a name that another file passes on'],
])('%s reaches the SDK in its %s: %s, %s', (route, handler, reaches) => {
  expect(code.reachesSdk(route, handler)).toBe(reaches);
});

test('nothing is said of a route that is not in the scripts', () => {
  expect(code.reachesSdk('routes/elsewhere', 'loader')).toBeNull();
});
