/** A visitor without a browser: what an HTTP client sees of the site through the platform's edge. */
export { createCookieJar, type CookieJar } from './browser/cookie-jar.ts';
export {
  formRequest,
  httpVisitor,
  jsonRequest,
  type ReceivedResponse,
  type RequestOptions,
  type HttpVisitor,
} from './browser/visitor-http.ts';
