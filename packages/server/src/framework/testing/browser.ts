/** A browser for tests of a whole site in memory: it keeps cookies, as a browser does. */

/** A response whose body was read. */
export interface Visit {
  status: number;
  location: string | null;
  setCookies: string[];
  text: string;
  headers: Headers;
}

/** Where a browser's requests go, with the browser's IP address. */
type Respond = (path: string, init: RequestInit, address: string | undefined) => Promise<Response>;

export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #respond: Respond;
  readonly #address: string | undefined;

  constructor(respond: Respond, address?: string) {
    this.#respond = respond;
    this.#address = address;
  }

  /** Keeps the cookies of a response. @param setCookies the values of its `set-cookie` headers. */
  keep(setCookies: readonly string[]): this {
    for (const setCookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      if (/max-age=0/i.test(setCookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return this;
  }

  get(path: string): Promise<Visit> {
    return this.send(path);
  }

  /** Submits a form of one of the site's pages. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Visit> {
    const form = post(fields);
    return this.send(path, { ...form, headers: { ...form.headers, ...headers } });
  }

  async send(path: string, init: RequestInit = {}): Promise<Visit> {
    const response = await this.respond(path, init);
    return {
      status: response.status,
      location: response.headers.get('location'),
      setCookies: response.headers.getSetCookie(),
      text: await response.text(),
      headers: response.headers,
    };
  }

  /** The response itself, whose body is not read yet. */
  async respond(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie) headers.set('cookie', cookie);
    const response = await this.#respond(path, { ...init, headers }, this.#address);
    this.keep(response.headers.getSetCookie());
    return response;
  }
}

export const siteOrigin = 'https://site.example';

/** The body of a form, as a browser posts it from the site's own page. */
export function post(fields: Record<string, string>) {
  return {
    method: 'POST',
    headers: { origin: siteOrigin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}
