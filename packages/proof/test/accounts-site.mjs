// @ts-check
/**
 * The fixture of `accounts.test.ts`: a plain `node:http` site with accounts of its own and the platform's. Routes up to
 * `/for-both` are correct, and each route after it has one violation that the proof must report.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Libsql from 'libsql';

/** @typedef {import('node:http').IncomingMessage} Incoming */
/** @typedef {{ status: number, type?: string, body?: string, headers?: Record<string, string> }} Reply */
/** @typedef {{ id: string, name: string, email: string, password: string }} Account */
/** @typedef {{ request: Incoming, id: string, form: URLSearchParams, token: string }} Call */
/** @typedef {Call & { account: Account }} AccountCall */

const platform = process.env['PLATFORM_INTERNAL_URL'] ?? '';
const siteOrigin = process.env['SITE_ORIGIN'] ?? '';
const database = new Libsql((process.env['DATABASE_URL'] ?? '').replace(/^file:/, ''));
database.exec(`
  pragma journal_mode = wal;
  create table account (id text primary key, name text, email text unique, password text);
  create table session (token text primary key, account_id text);
  create table note (id text primary key, account_id text, text text);
  create table measure (id text primary key, account_id text, text text);
`);

const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');

/** Shared between requests by mistake. @type {Account | undefined} */
let lastAccount;
/** Set by the first failed write and never reset, so that `/stays-away` does not recover. */
let hasFailed = false;

/** @type {Record<string, (call: Call) => Promise<Reply> | Reply>} */
const routes = {
  '/': () => page('<p>Hello</p>'),
  '/sign-up': () => page(form('/sign-up', credentials('<input name="name">'))),
  'POST /sign-up': ({ form }) => {
    const { name, email, password } = Object.fromEntries(form);
    if (!name || !email || !password || rows('account', 'email', email).length > 0) return refused;
    const hash = `$scrypt$${digest(password)}`;
    run('insert into account values (?, ?, ?, ?)', randomUUID(), name, email, hash);
    return to('/sign-in');
  },
  '/sign-in': () => page(form('/sign-in', credentials(''))),
  'POST /sign-in': ({ form }) => {
    const account = accountBy('email', form.get('email') ?? '');
    if (account?.password !== `$scrypt$${digest(form.get('password') ?? '')}`) return refused;
    const token = randomUUID();
    run('insert into session values (?, ?)', digest(token), account.id);
    return to('/notes', { 'set-cookie': `session=${token}; ${attributes}` });
  },
  '/sign-out': () => page(form('/sign-out', '')),
  'POST /sign-out': ({ token }) => {
    run('delete from session where token = ?', digest(token));
    return to('/', { 'set-cookie': `session=; Max-Age=0; ${attributes}` });
  },
  '/prints': async () => ((await isOfPlatform()) ? page('prints') : { status: 401 }),
  '/notes': own(({ account }) => page(`<p>${account.name}</p>${list(account)}${menu(account)}`)),
  'POST /notes': own(({ account, form }) => {
    run('insert into note values (?, ?, ?)', randomUUID(), account.id, form.get('text'));
    return to('/notes');
  }),
  '/notes/:id': own(({ account, id }) => {
    const note = noteOf(account, id);
    if (!note) return { status: 404 };
    const rename = `<input type="hidden" name="id" value="${id}"><input name="text">`;
    const renaming = form(`/notes/${id}`, '<input name="text">') + form('/renames-any', rename);
    const beside = ['any-note', 'any-length', 'any-path', 'any-removed'].map(
      (name) => `/${name}/${id}`,
    );
    const links = [...beside, `/any-slug/${slugOf(id)}`].map(link);
    return page(`<p>${note.text}</p>${renaming}${links.join('')}`);
  }),
  'POST /notes/:id': own(({ account, id, form }) => {
    run(
      'update note set text = ? where id = ? and account_id = ?',
      form.get('text'),
      id,
      account.id,
    );
    return to(`/notes/${id}`);
  }),
  'DELETE /notes/:id': own(({ account, id }) => {
    run('delete from note where id = ? and account_id = ?', id, account.id);
    return { status: 204 };
  }),
  '/measures': own(({ account }) => {
    const links = rows('measure', 'account_id', account.id).map(({ id }) =>
      link(`/any-measure/${String(id)}`),
    );
    return page(`${form('/measures', measure)}${links.join('')}`);
  }),
  'POST /measures': own(({ account, form }) => {
    const { text, code, count, day, at, unit, size, kind, mail } = Object.fromEntries(form);
    const isValid =
      /^[a-z\d-]{3,12}$/.test(text ?? '') &&
      /^\d{6}$/.test(code ?? '') &&
      Number(count) >= 10 &&
      Number(count) % 5 === 0 &&
      (day ?? '') >= '2031-01-01' &&
      (at ?? '') <= '09:30' &&
      /^(cm|inch)$/.test(unit ?? '') &&
      form.getAll('size').length === 1 &&
      /^[sml]$/.test(size ?? '') &&
      kind === 'own' &&
      /^\S+@\S+$/.test(mail ?? '');
    if (!isValid) return refused;
    run('insert into measure values (?, ?, ?)', randomUUID(), account.id, text ?? '');
    return to('/measures');
  }),
  // Only a person knows the code.
  '/with-code': own(() => page(form('/with-code', '<input name="code" required>'))),
  'POST /with-code': own(({ form }) => (form.get('code') === 'in a letter' ? to('/') : refused)),
  // Deletes the account, so the crawl must sign up again.
  '/close': own(() => page(form('/close', ''))),
  'POST /close': own(({ account }) => {
    run('delete from session where account_id = ?', account.id);
    run('delete from note where account_id = ?', account.id);
    run('delete from account where id = ?', account.id);
    return to('/', { 'set-cookie': `session=; Max-Age=0; ${attributes}` });
  }),
  '/for-both': async ({ token }) => {
    if (!(await isOfPlatform())) return { status: 401 };
    return accountOf(token) ? page('prints and notes') : to('/sign-in');
  },

  // One violation each.
  '/acts-first': own(() => page(form('/acts-first', '<input name="text">'))),
  'POST /acts-first': ({ form }) => {
    run('insert into note values (?, ?, ?)', randomUUID(), 'nobody', form.get('text'));
    return to('/sign-in');
  },
  '/answers-posts': own(() => page(form('/answers-posts', '<input name="text">'))),
  'POST /answers-posts': () => page('as if all were well'),
  '/prints-by-account': async ({ token }) =>
    accountOf(token) || (await isOfPlatform()) ? page('prints') : { status: 401 },
  '/both-by-platform': async () => ((await isOfPlatform()) ? page('prints') : { status: 401 }),
  '/both-by-account': ({ token }) => (accountOf(token) ? page('notes') : { status: 401 }),
  '/shows-token': own(({ token }) => page(`<p data-token="${token}">words</p>`)),
  '/shows-digest': own(({ token }) => page(`<p data-token="${digest(token)}">words</p>`)),
  '/shows-hash': own(({ account }) => page(JSON.stringify(account).replaceAll('"', ''))),
  '/types-back': own(() => page(form('/types-back', '<input type="password" name="password">'))),
  'POST /types-back': own(({ form }) =>
    page(`<input type="password" name="password" value="${form.get('password') ?? ''}">`),
  ),
  '/logs-token': own(({ token }) => {
    process.stdout.write(`visitor ${token}\n`);
    return page('logged');
  }),
  '/logs-email': own(({ account }) => {
    process.stdout.write(`visitor ${account.email}\n`);
    return page('logged');
  }),
  '/last-account': own(async ({ account }) => {
    lastAccount = account;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return page(`<p>${lastAccount.name}</p>`);
  }),
  '/any-note/:id': own(({ id }) => {
    const [note] = rows('note', 'id', id);
    return note ? page(`<p>${String(note['text'])}</p>`) : { status: 404 };
  }),
  // Behind a form that accepts only what its fields declare.
  '/any-measure/:id': own(({ id }) => lengthOf(id, 'measure')),
  '/any-length/:id': own(({ id }) => lengthOf(id)),
  '/any-path/:id': own(({ id }) => lengthOf(id)),
  '/any-path/nothing-is-here': own(() => ({ status: 404 })),
  '/any-slug/:id': own(({ id }) => lengthOf(ofSlug(id))),
  '/after-a-post/:id': own(() => ({
    ...page('words'),
    headers: { 'cache-control': 'private, max-age=60' },
  })),
  '/leads-on': own(() => page(form('/leads-on', '<input name="text">'))),
  'POST /leads-on': own(() => to(`/after-a-post/${randomUUID()}`)),
  '/renames-any': own(() => page('words')),
  'POST /renames-any': own(({ form }) => {
    run('update note set text = ? where id = ?', form.get('text'), form.get('id'));
    return to('/notes');
  }),
  '/takes-owner': own(({ account }) => {
    const owner = `<input type="hidden" name="owner" value="${account.id}">`;
    return page(form('/takes-owner', `${owner}<input name="text">`));
  }),
  'POST /takes-owner': own(({ form }) => {
    const text = form.get('text');
    run('insert into note values (?, ?, ?)', randomUUID(), form.get('owner'), text);
    return to('/notes');
  }),
  '/any-removed/:id': own(({ account, id }) =>
    noteOf(account, id) ? page('words') : { status: 404 },
  ),
  'DELETE /any-removed/:id': own(({ id }) => {
    run('delete from note where id = ?', id);
    return { status: 204 };
  }),
  '/acts-for-others': own(() => page(form('/acts-for-others', '<input name="text">'))),
  'POST /acts-for-others': own(({ request, account, form }) => {
    run('insert into note values (?, ?, ?)', randomUUID(), account.id, form.get('text'));
    return request.headers.origin === siteOrigin ? to('/notes') : { status: 403 };
  }),
  '/breaks-when-held': own(() => page(form('/breaks-when-held', '<input name="text">'))),
  'POST /breaks-when-held': own(({ account, form }) => {
    try {
      run('insert into note values (?, ?, ?)', randomUUID(), account.id, form.get('text'));
      return to('/notes');
    } catch {
      return { status: 500, body: 'It broke.' };
    }
  }),
  '/waits-for-store': own(() => page(form('/waits-for-store', '<input name="text">'))),
  'POST /waits-for-store': own(async ({ account, form }) => {
    for (;;) {
      try {
        run('insert into note values (?, ?, ?)', randomUUID(), account.id, form.get('text'));
        return to('/notes');
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }),
  '/stays-away': own(() => page(form('/stays-away', '<input name="text">'))),
  'POST /stays-away': own(({ account, form }) => {
    try {
      if (!hasFailed) {
        run('insert into note values (?, ?, ?)', randomUUID(), account.id, form.get('text'));
        return to('/notes');
      }
    } catch {
      hasFailed = true;
    }
    return { status: 503, body: 'Not now.' };
  }),
  '/sets-cookie': own(() => page(form('/sets-cookie', '<input name="density">'))),
  'POST /sets-cookie': own(() =>
    to('/notes', { 'set-cookie': 'density=wide; Path=/; Secure; SameSite=Lax' }),
  ),
  '/account-kept': own(() => ({
    ...page('words'),
    headers: { 'cache-control': 'private, max-age=60' },
  })),
};

const measure = `
  <input name="text" required pattern="[a-z0-9\\-]{3,12}">
  <input name="code" inputmode="numeric" minlength="6" maxlength="6">
  <input name="count" type="number" min="10" step="5">
  <input name="day" type="date" min="2031-01-01"><input name="at" type="time" max="09:30">
  <select name="unit" required><option value="">Choose</option><option disabled>mile</option><option>cm</option><option>inch</option></select>
  <label><input type="radio" name="size" value="s" required>S</label><label><input type="radio" name="size" value="m" required>M</label>
  <select name="kind"><option>borrowed</option><option selected>own</option></select>
  <input name="mail" inputmode="email">`;

const openToOthers = new Set(['/acts-for-others']);
const attributes = 'Path=/; Secure; HttpOnly; SameSite=None; Partitioned';
const refused = { status: 422, type: 'text/plain', body: 'Refused.' };

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  if (pathname === '/readyz') return response.end('{}');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const [, prefix = '', id = ''] = /^(.*)\/([\da-v-]{36})$/.exec(pathname) ?? [];
  const name = (isRead ? '' : `${request.method ?? ''} `) + (id ? `${prefix}/:id` : pathname);
  if (!isRead && !openToOthers.has(pathname) && request.headers.origin !== siteOrigin) {
    return response.writeHead(403, { 'cache-control': 'no-store' }).end();
  }
  const isKnown = Object.keys(routes).some((known) =>
    known.endsWith(id ? `${prefix}/:id` : pathname),
  );
  void bodyOf(request)
    .then((text) => {
      const [, token = ''] = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '') ?? [];
      return routes[name]?.({ request, id, token, form: new URLSearchParams(text) });
    })
    .catch((/** @type {unknown} */ error) => {
      const isHeld = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
      if (!isHeld) throw error;
      return /** @type {Reply} */ ({ status: 503, body: 'Later.' });
    })
    .then(
      (
        { status, type = 'text/plain', body = '', headers = {} } = { status: isKnown ? 405 : 404 },
      ) => {
        response.writeHead(status, {
          'cache-control': 'no-store',
          'content-type': type,
          ...headers,
        });
        response.end(body);
      },
    );
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** @param {(call: AccountCall) => Promise<Reply> | Reply} operate */
function own(operate) {
  return (/** @type {Call} */ call) => {
    const account = accountOf(call.token);
    return account ? operate({ ...call, account }) : to('/sign-in');
  };
}

/** @param {string} token */
function accountOf(token) {
  const [session] = token ? rows('session', 'token', digest(token)) : [];
  return session && accountBy('id', String(session['account_id']));
}

/** @param {string} column @param {string} value */
function accountBy(column, value) {
  return /** @type {Account | undefined} */ (
    /** @type {unknown} */ (rows('account', column, value)[0])
  );
}

/** @param {Account} account @param {string} id */
function noteOf(account, id) {
  return rows('note', 'id', id).find((note) => note['account_id'] === account.id);
}

/** @param {string} id @returns {Reply} */
function lengthOf(id, table = 'note') {
  const [note] = rows(table, 'id', id);
  return note ? page(`<p>${String(note['text']).length} letters</p>`) : { status: 404 };
}

/** Encodes a UUID without its digits and letters. @param {string} id */
function slugOf(id) {
  return id.replace(/[\da-f]/g, (digit) => (16 + parseInt(digit, 16)).toString(32));
}

/** @param {string} slug */
function ofSlug(slug) {
  return slug.replace(/[g-v]/g, (letter) => (parseInt(letter, 32) - 16).toString(16));
}

/** @param {string} table @param {string} column @param {string} value */
function rows(table, column, value) {
  const found = database.prepare(`select * from ${table} where ${column} = ?`).all(value);
  return /** @type {Record<string, unknown>[]} */ (found);
}

/**
 * Runs in an explicit transaction: in libsql 0.5 a statement that failed with SQLITE_BUSY stays unfinished, and later
 * writes remain uncommitted.
 *
 * @param {string} sql @param {(string | null)[]} values
 */
function run(sql, ...values) {
  database.exec('begin immediate');
  try {
    database.prepare(sql).run(...values);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

async function isOfPlatform() {
  const response = await fetch(`${platform}/user`, { signal: AbortSignal.timeout(2_000) });
  await response.text();
  return response.ok;
}

/** @param {Account} account */
function list({ id }) {
  return rows('note', 'account_id', id)
    .map((note) => link(`/notes/${String(note['id'])}`))
    .join('');
}

/** @param {Account} account */
function menu({ id }) {
  const owner = `<input type="hidden" name="owner" value="${id}">`;
  return (
    form('/notes', '<input name="text">') + form('/takes-owner', `${owner}<input name="text">`)
  );
}

/** @param {string} address */
function link(address) {
  return `<a href="${address}">${address}</a>`;
}

/** @param {string} action @param {string} fields */
function form(action, fields) {
  return `<form method="post" action="${action}">${fields}<button>Send</button></form>`;
}

/** @param {string} more */
function credentials(more) {
  return `${more}<input type="email" name="email"><input type="password" name="password">`;
}

/** @param {string} address @param {Record<string, string>} [headers] @returns {Reply} */
function to(address, headers = {}) {
  return { status: 303, headers: { location: address, ...headers } };
}

/** @param {Incoming} request */
async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** @param {string} content @returns {Reply} */
function page(content) {
  return {
    status: 200,
    type: 'text/html',
    body: `<!doctype html><html lang="en"><title>Notes</title><main>${content}</main></html>`,
  };
}
