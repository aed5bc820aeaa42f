// @ts-check
/**
 * The fixture of `roles.test.ts`: accounts with roles. Routes up to `/members/:id` are correct, and each route after it has one
 * violation that the proof must report.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Libsql from 'libsql';

/** @typedef {Record<string, string>} Row */
/** @typedef {{ status: number, type?: string, body?: string, headers?: Record<string, string> }} Reply */
/** @typedef {{ id: string, form: URLSearchParams, account: Row }} Call */

const siteOrigin = process.env['SITE_ORIGIN'] ?? '';
const database = new Libsql((process.env['DATABASE_URL'] ?? '').replace(/^file:/, ''));
database.exec(`
  pragma journal_mode = wal;
  pragma busy_timeout = 2000;
  create table account (id text primary key, name text, email text unique, password text);
  create table session (token text primary key, account_id text);
  create table notice (id text primary key, text text);
  ${process.env['WITHOUT_ROLES'] ? '' : 'create table account_role (account_id text, role text, granted_at text, primary key (account_id, role));'}
`);

/** Whoever is not signed in has an account without an id. @type {Record<string, (call: Call) => Reply>} */
const routes = {
  '/': () => page('<p>Hello</p>'),
  '/sign-up': () =>
    page(form('/sign-up', '<input name="name"><input type="password" name="password">')),
  'POST /sign-up': ({ form: fields }) => {
    const { name, email, password } = Object.fromEntries(fields);
    if (!name || !email || !password || accountsBy('email', email).length > 0) return refused;
    run('insert into account values (?, ?, ?, ?)', randomUUID(), name, email, digest(password));
    return to('/sign-in');
  },
  '/sign-in': () =>
    page(
      form('/sign-in', '<input type="email" name="email"><input type="password" name="password">'),
    ),
  'POST /sign-in': ({ form: fields }) => {
    const [account] = accountsBy('email', fields.get('email') ?? '');
    if (!account || account['password'] !== digest(fields.get('password') ?? '')) return refused;
    const token = randomUUID();
    run('insert into session values (?, ?)', digest(token), account['id'] ?? '');
    return to('/home', { 'set-cookie': `session=${token}; ${attributes}` });
  },
  '/home': own(({ account }) => page(`<p>${account['name']}</p>`)),
  '/members': admin(() => page(list('members') + notice('/members'))),
  'POST /members': admin(addNotice),
  '/members/:id': admin(({ id }) => {
    const [member] = accountsBy('id', id);
    return member ? page(`<h1>${member['name']}</h1>`) : { status: 404 };
  }),

  // One violation each.
  '/open-list': own(() => page('<p>The list of members is empty.</p>')),
  '/other-role': own(({ account }) => (hasRole(account, 'editor') ? { status: 403 } : page('Hi'))),
  '/open-form': admin(() => page(notice('/open-form'))),
  'POST /open-form': own(addNotice),
  '/no-such-row/:id': own(({ account }) =>
    hasRole(account, 'admin') ? page('<p>words</p>') : { status: 404 },
  ),
  '/shows-address': admin(() => page(list('no-such-row', 'email'))),
};

const attributes = 'Path=/; Secure; HttpOnly; SameSite=None; Partitioned';
const refused = { status: 422, type: 'text/plain', body: 'Refused.' };

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  if (pathname === '/readyz') return response.end('{}');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const [, prefix, id = ''] = /^(.*)\/([\da-f-]{36})$/.exec(pathname) ?? [];
  const address = prefix === undefined ? pathname : `${prefix}/:id`;
  const route = routes[isRead ? address : `${request.method} ${address}`];
  const isForeign = !isRead && request.headers.origin !== siteOrigin;
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    const [, token = ''] = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '') ?? [];
    const [account = {}] = rows(
      'select account.* from account join session on account_id = id where token = ?',
      digest(token),
    );
    const missing = { status: address in routes ? 405 : 404 };
    const call = { id, account, form: new URLSearchParams(body) };
    const reply = isForeign ? { status: 403 } : (answer(() => route?.(call)) ?? missing);
    const { status, type = 'text/plain', body: text = '', headers } = /** @type {Reply} */ (reply);
    response.writeHead(status, { 'cache-control': 'no-store', 'content-type': type, ...headers });
    response.end(text);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** @param {() => Reply | undefined} work @returns {Reply | undefined} */
function answer(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')
      return { status: 503, body: 'Later.' };
    throw error;
  }
}

/** @param {(call: Call) => Reply} operate */
function own(operate) {
  return (/** @type {Call} */ call) => ('id' in call.account ? operate(call) : to('/sign-in'));
}

/** @param {(call: Call) => Reply} operate */
function admin(operate) {
  return own((call) => (hasRole(call.account, 'admin') ? operate(call) : { status: 403 }));
}

/** @param {Row} account @param {string} role */
function hasRole(account, role) {
  if (process.env['WITHOUT_ROLES']) return false;
  const of = 'select role from account_role where account_id = ? and role = ?';
  return rows(of, account['id'] ?? '', role).length > 0;
}

/** @param {Call} call */
function addNotice({ form: fields }) {
  run('insert into notice values (?, ?)', randomUUID(), fields.get('text') ?? '');
  return to('/members');
}

/** @param {string} action */
function notice(action) {
  return form(action, '<label>Notice <input name="text"></label>');
}

/** Every account, with a link to one below an address. @param {string} below */
function list(below, column = 'name') {
  return rows('select * from account order by id')
    .map((row) => `<p>${row[column]} <a href="/${below}/${row['id']}">more</a></p>`)
    .join('');
}

/** @param {'id' | 'email'} column @param {string} value */
function accountsBy(column, value) {
  return rows(`select * from account where ${column} = ?`, value);
}

/** @param {string} sql @param {string[]} values */
function rows(sql, ...values) {
  return /** @type {Row[]} */ (database.prepare(sql).all(values));
}

/**
 * In a transaction: in libsql 0.5 a statement that failed with SQLITE_BUSY stays unfinished.
 *
 * @param {string} sql @param {string[]} values
 */
function run(sql, ...values) {
  database.exec('begin immediate');
  try {
    database.prepare(sql).run(values);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** @param {string} action @param {string} fields */
function form(action, fields) {
  return `<form method="post" action="${action}">${fields}<button>Send</button></form>`;
}

/** @param {string} address @param {Record<string, string>} [headers] @returns {Reply} */
function to(address, headers = {}) {
  return { status: 303, headers: { location: address, ...headers } };
}

/** @param {string} content @returns {Reply} */
function page(content) {
  const body = `<!doctype html><html lang="en"><title>Members</title><main>${content}</main></html>`;
  return { status: 200, type: 'text/html', body };
}
