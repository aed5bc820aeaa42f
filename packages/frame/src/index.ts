/** For server and browser alike: paths, names of media types, and the length of texts. */
export { decoded, isApiPath } from './api-path.ts';
export { isBlank, notBlank } from './blank-text.ts';
export { typeAliases } from './media-types.ts';
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
