/** Recognises guards by their types' names and by the package that declares them. */
import { isDeclared, partsOf } from './types.js';

const checkers = /\/(packages|@gatehouse)\/(accounts|platform)\//;

/** What `requirePlatformSdk` and `requireAccount` return. @param {import('typescript').Type} type */
export const isOpenGuard = (type) => isDeclared(type, /^Open\w*Guard$/, checkers);

/** @param {import('typescript').Type} type */
export const isPassedGuard = (type) => isDeclared(type, /^PassedGuard$/, checkers);

/**
 * A guard's result, passed or failed, of the platform or of site accounts.
 * @param {import('typescript').Type} type
 */
export const isGuard = (type) => isDeclared(type, /Guard$/, checkers);

/** @param {import('typescript').Type} type @param {'platform' | 'accounts'} kind */
export const isGuardOf = (type, kind) =>
  isDeclared(type, /Guard$/, new RegExp(`/(packages|@gatehouse)/${kind}/`));

/** @param {import('typescript').Type} type */
export const isFailedGuard = (type) => isDeclared(type, /^Failed\w*Guard$/, checkers);

/** @param {import('typescript').Type} type */
export const isRequest = (type) => partsOf(type).some(({ symbol }) => symbol?.name === 'Request');

/**
 * Whether a file's guards are trusted, and not walked themselves.
 * @param {string} file
 */
export const checksIdentity = (file) => checkers.test(file);
