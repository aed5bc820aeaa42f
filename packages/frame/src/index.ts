/** For server and browser alike: paths, and the length of texts. */
export { decoded, isApiPath } from './api-path';
export { isBlank, notBlank } from './blank-text';
export { requestedPath, returnPathOf, safeReturnPath } from './return-path';
export {
  atLeast,
  atMost,
  composed,
  formBytes,
  inputLength,
  lengthOf,
  truncate,
} from './text-length';
