// @ts-check
/**
 * The fixture of `published.test.ts`: members publish listings, and ask each other for them. Routes up to `/loans/:id` are
 * correct, and each route after it has one violation that the proof must report.
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
  create table account (id text primary key, name text, email text unique, password text);
  create table session (token text primary key, account_id text);
  create table listing (id text primary key, account_id text, title text, note text, state text);
  create table loan (id text primary key, listing_id text, lender_id text, borrower_id text, message text, state text);
`);

/** Kept for ever by mistake. @type {Set<string>} */
const onceShown = new Set();

const published = `select listing.*, account.name from listing join account on account.id = account_id where state = 'published'`;
const mine = 'select * from listing where account_id = ?';
const loans =
  'select loan.*, title from loan join listing on listing.id = listing_id where ? in (lender_id, borrower_id)';

/** Whoever is not signed in has an account without an id. @type {Record<string, (call: Call) => Reply>} */
const routes = {
  '/': () => page('<p>Hello</p>'),
  '/sign-up': () =>
    page(form('/sign-up', '<input name="name"><input type="password" name="password">')),
  'POST /sign-up': ({ form }) => {
    const { name, email, password } = Object.fromEntries(form);
    if (
      !name ||
      !email ||
      !password ||
      rows('select * from account where email = ?', email).length > 0
    )
      return refused;
    rows('insert into account values (?, ?, ?, ?)', randomUUID(), name, email, digest(password));
    return to('/sign-in');
  },
  '/sign-in': () =>
    page(
      form('/sign-in', '<input type="email" name="email"><input type="password" name="password">'),
    ),
  'POST /sign-in': ({ form }) => {
    const [account] = rows('select * from account where email = ?', form.get('email') ?? '');
    if (!account || account['password'] !== digest(form.get('password') ?? '')) return refused;
    const token = randomUUID();
    rows('insert into session values (?, ?)', digest(token), idOf(account));
    return to('/mine', { 'set-cookie': `session=${token}; ${attributes}` });
  },
  '/mine': own(({ account }) => {
    const list = rows(mine, idOf(account)).map(({ id = '', title, note, state }) => {
      const act = state === 'published' ? 'withdraw' : 'publish';
      const links = ['any-listing', 'any-title'].map((name) => link(`/${name}/${id}`)).join('');
      return `<li>${title} ${note} ${links}${form('/mine', hidden('id', id), `name="act" value="${act}"`)}</li>`;
    });
    const states = '<select name="state"><option>draft</option><option>published</option></select>';
    const fields = `<input name="title" required><input name="note">${states}`;
    return page(`<ul>${list.join('')}</ul>${form('/mine', fields, 'name="act" value="add"')}`);
  }),
  'POST /mine': own(({ account, form }) => {
    const { act = '', id = '', title = '', note = '', state = '' } = Object.fromEntries(form);
    if (act === 'add' && title === '') return refused;
    if (act === 'add')
      rows(
        'insert into listing values (?, ?, ?, ?, ?)',
        randomUUID(),
        idOf(account),
        title,
        note,
        state,
      );
    else {
      const next = act === 'publish' ? 'published' : 'withdrawn';
      rows('update listing set state = ? where id = ? and account_id = ?', next, id, idOf(account));
    }
    return to('/mine');
  }),
  '/gallery': () =>
    page(
      rows(published)
        .map(({ id = '', title, name }) => `${title} of ${name} ${link(`/gallery/${id}`)}`)
        .join(''),
    ),
  '/gallery/:id': ({ id }) => {
    const [listing] = rows(`${published} and listing.id = ?`, id);
    if (!listing) return { status: 404 };
    return page(
      `<h1>${listing['title']}</h1>${form('/ask', hidden('listing', id) + '<input name="message">')}`,
    );
  },
  '/members': own(() =>
    page(
      rows(published)
        .map(({ title }) => title)
        .join(''),
    ),
  ),
  '/ask': own(() => page('Ask.')),
  'POST /ask': own(({ account, form }) => {
    const [listing] = rows(`${published} and listing.id = ?`, form.get('listing') ?? '');
    if (!listing || listing['account_id'] === idOf(account)) return refused;
    const people = [listing['account_id'] ?? '', idOf(account)];
    const words = [form.get('message') ?? '', 'asked'];
    rows(
      'insert into loan values (?, ?, ?, ?, ?, ?)',
      randomUUID(),
      idOf(listing),
      ...people,
      ...words,
    );
    return to('/loans');
  }),
  '/loans': own(({ account }) =>
    page(
      rows(loans, idOf(account))
        .map(({ id = '', title, message }) => `${title} ${message} ${link(`/loans/${id}`)}`)
        .join(''),
    ),
  ),
  '/loans/:id': own(({ account, id }) => {
    const [loan] = rows(`${loans} and loan.id = ?`, idOf(account), id);
    return loan ? page(`${loan['message']}${form(`/loans/${id}`, '')}`) : { status: 404 };
  }),
  'POST /loans/:id': own(({ account, id }) => {
    rows(`update loan set state = 'lent' where id = ? and lender_id = ?`, id, idOf(account));
    return to('/loans');
  }),
  '/scripted': own(() => page('Votes.')),
  'POST /scripted': own(({ form }) => {
    const known = rows(`${published} and listing.id = ?`, form.get('listing') ?? '').length > 0;
    return known ? to('/loans') : refused;
  }),

  // One violation each.
  '/shows-drafts': () =>
    page(
      rows('select * from listing')
        .map(({ title }) => title)
        .join(''),
    ),
  '/shows-notes': () =>
    page(
      rows(published)
        .map(({ note }) => note)
        .join(''),
    ),
  '/still-shown': () => {
    for (const { title = '' } of rows(published)) onceShown.add(title);
    return page([...onceShown].join(''));
  },
  '/shows-address': () => {
    const ids = new Set(rows(published).map((row) => row['account_id']));
    return page(
      rows('select * from account')
        .filter(({ id }) => ids.has(id))
        .map(({ email }) => email)
        .join(''),
    );
  },
  '/private-shelf': own(() =>
    page(
      rows(published)
        .map(({ title }) => title)
        .join(''),
    ),
  ),
  '/all-loans': own(() =>
    page(
      rows('select * from loan')
        .map(({ message }) => message)
        .join(''),
    ),
  ),
  '/any-listing/:id': own(({ id }) => {
    const [listing] = rows('select * from listing where id = ?', id);
    return listing ? page(`${listing['title']?.length} letters`) : { status: 404 };
  }),
  '/any-title/:id': ({ id }) => {
    const [listing] = rows('select * from listing where id = ?', id);
    return listing ? page(`${listing['title']}`) : { status: 404 };
  },
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
    const session = 'select account.* from account join session on account_id = id where token = ?';
    const [account = {}] = token ? rows(session, digest(token)) : [];
    const missing = { status: address in routes ? 405 : 404 };
    const reply = isForeign
      ? { status: 403 }
      : (answer(() => route?.({ id, account, form: formOf(body) })) ?? missing);
    const {
      status,
      type = 'text/plain',
      body: text = '',
      headers = {},
    } = /** @type {Reply} */ (reply);
    response.writeHead(status, { 'cache-control': 'no-store', 'content-type': type, ...headers });
    response.end(text);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** @param {string} body */
function formOf(body) {
  return new URLSearchParams(body.startsWith('{') ? JSON.parse(body) : body);
}

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

/** @param {Row} row */
function idOf(row) {
  return row['id'] ?? '';
}

/**
 * A write runs in a transaction: in libsql 0.5 a statement that failed with SQLITE_BUSY stays unfinished.
 *
 * @param {string} sql @param {string[]} values @returns {Row[]}
 */
function rows(sql, ...values) {
  if (sql.startsWith('select')) return /** @type {Row[]} */ (database.prepare(sql).all(values));
  database.exec('begin immediate');
  try {
    database.prepare(sql).run(values);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
  return [];
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** @param {string} address */
function link(address) {
  return `<a href="${address}">more</a>`;
}

/** @param {string} name @param {string} value */
function hidden(name, value) {
  return `<input type="hidden" name="${name}" value="${value}">`;
}

/** @param {string} action @param {string} fields */
function form(action, fields, button = '') {
  return `<form method="post" action="${action}">${fields}<button ${button}>Send</button></form>`;
}

/** @param {string} address @param {Record<string, string>} [headers] @returns {Reply} */
function to(address, headers = {}) {
  return { status: 303, headers: { location: address, ...headers } };
}

/** @param {string} content @returns {Reply} */
function page(content) {
  const body = `<!doctype html><html lang="en"><title>Listings</title><main>${content}</main></html>`;
  return { status: 200, type: 'text/html', body };
}
