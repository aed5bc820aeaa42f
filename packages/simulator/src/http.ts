/** A visitor without a browser: what an HTTP client sees of the site through the platform's edge. */
export { createCookieJar, type CookieJar } from './browser/cookie-jar.ts';
export {
  formAsk,
  httpVisitor,
  jsonAsk,
  type Answer,
  type Ask,
  type HttpVisitor,
} from './browser/visitor-http.ts';
