/** For server and browser alike: paths, and the length of texts. */
export { decoded, isApiPath } from './api-path.ts';
export { isBlank, notBlank } from './blank-text.ts';
export { requestedPath, returnPathOf, safeReturnPath } from './return-path.ts';
export {
  atLeast,
  atMost,
  composed,
  formBytes,
  inputLength,
  lengthOf,
  truncate,
} from './text-length.ts';
