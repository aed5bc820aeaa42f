/** Mistakes with visitor data: the whole profile in a response, or one visitor's data shown to another. */
import { api, page, type Mistake } from './mistake';

const kept = ['other-people/somebody-else', 'other-people/own-missing'] as const;

export const people: readonly Mistake[] = [
  {
    row: 'a whole safe profile in the log',
    reportedAs: ['leaks/log-line'],
    variants: {
      'logs-safe-profile': {
        api: api(
          'console.log(`logs-safe-profile ${JSON.stringify(toSafeProfile(guard.user))}`);\n  return Response.json({});',
        ),
      },
      'logs-profile-by-spread': {
        api: api(
          "const line = { at: 'logs-profile-by-spread', ...toSafeProfile(guard.user) };\n  process.stdout.write(`${JSON.stringify(line)}\\n`);\n  return Response.json({});",
        ),
      },
      'logs-address-of-query': {
        api: api(
          'const { email } = toSafeProfile(guard.user);\n  console.info(`logs-address-of-query ${new URLSearchParams({ email })}`);\n  return Response.json({});',
        ),
      },
      'logs-profile-by-helper': {
        api: api(
          'note(toSafeProfile(guard.user));\n  return Response.json({});',
          "function note({ email }) {\n  console.info('logs-profile-by-helper ' + email);\n}",
        ),
      },
    },
  },
  {
    row: '`guard.user`, or the guard itself, in a response, a log, a spread, a variable',
    reportedAs: ['leaks/profile-field'],
    variants: {
      'whole-user': { api: api('return Response.json({ user: guard.user });') },
      'spread-user': { api: api('return Response.json({ ...guard.user, isHere: true });') },
      'guard-in-answer': { api: api('return Response.json(guard);') },
      'user-in-header': {
        api: api(
          "return new Response(null, { status: 204, headers: { 'x-user': JSON.stringify(guard.user) } });",
        ),
      },
      'user-in-page': {
        page: page({
          loader: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  const me = guard.user;
  return { items: await picturesOf(guard), me };
}`,
        }),
      },
    },
  },
  {
    row: '`guard.user`, or the guard itself, in a response, a log, a spread, a variable',
    reportedAs: ['leaks/log-line'],
    variants: {
      'user-logged': {
        api: api(
          "console.info('user-logged', JSON.stringify(guard.user));\n  return Response.json({});",
        ),
      },
      'guard-logged': {
        api: api("console.info('guard-logged %j', guard);\n  return Response.json({});"),
      },
      'user-in-warning': {
        api: api(
          'console.warn(`user-in-warning: ${Object.values(guard.user).map(String)} ${JSON.stringify(guard.user.internal)}`);\n  return Response.json({});',
        ),
      },
    },
  },
  {
    row: 'module state: `let`, a `Map`, an array that is written, a static field, a memo, `globalThis.x`',
    reportedAs: kept,
    variants: {
      'kept-profile': {
        api: api(
          'me ??= toSafeProfile(guard.user);\n  return Response.json({ name: me.displayName });',
          'let me;',
        ),
      },
      'kept-in-map': {
        api: api(
          `if (!cache.has('name')) cache.set('name', toSafeProfile(guard.user).displayName);\n  return Response.json({ name: cache.get('name') });`,
          'const cache = new Map();',
        ),
      },
      'kept-in-class': {
        api: api(
          `Visitor.current = toSafeProfile(guard.user);
  return respondWith(async () => {
    await createPlatformSdk(guard).generations.list();
    return { name: Visitor.current.displayName };
  });`,
          'class Visitor { static current; }',
        ),
      },
      'kept-in-global': {
        api: api(
          'globalThis.visitors ??= [];\n  globalThis.visitors.push(toSafeProfile(guard.user).displayName);\n  return Response.json({ name: globalThis.visitors[0] });',
        ),
      },
      'kept-by-memo': {
        api: api(
          'return Response.json({ name: nameOf(guard) });',
          `const once = (read) => { let value; return (given) => (value ??= read(given)); };
const nameOf = once((guard) => toSafeProfile(guard.user).displayName);`,
        ),
      },
    },
  },
  {
    row: 'a file cached by its id alone',
    reportedAs: ['other-people/same-file'],
    variants: {
      'files-in-map': {
        api: api(
          `return respondWith(async () => {
    const bytes = files.get(params.id) ?? (await bytesOf(createPlatformSdk(guard), params.id));
    files.set(params.id, bytes);
    return new Response(bytes, { headers: { 'content-type': 'image/png' } });
  });`,
          `const files = new Map();
const bytesOf = async (sdk, id) => new Response((await sdk.generations.readOutput(id, 'png')).body).arrayBuffer();`,
        ),
        rest: '/:id',
      },
      'files-by-memo': {
        api: api(
          `return respondWith(async () => new Response(await bytesOf(params.id, createPlatformSdk(guard)), { headers: { 'content-type': 'image/png' } }));`,
          `const memo = (read) => {
  const known = {};
  return async (key, ...rest) => (known[key] ??= await read(key, ...rest));
};
const bytesOf = memo(async (id, sdk) => new Response((await sdk.generations.readOutput(id, 'png')).body).arrayBuffer());`,
        ),
        rest: '/:id',
      },
      'files-in-global': {
        api: api(
          `globalThis.thumbnails ??= {};
  return respondWith(async () => {
    if (!globalThis.thumbnails[params.id]) {
      const { body } = await createPlatformSdk(guard).generations.readOutput(params.id, 'png');
      globalThis.thumbnails[params.id] = Buffer.from(await new Response(body).arrayBuffer());
    }
    return new Response(globalThis.thumbnails[params.id], { headers: { 'content-type': 'image/png' } });
  });`,
        ),
        rest: '/:id',
      },
    },
  },
];
