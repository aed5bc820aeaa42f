/** What a guard is, to the compiler: a type named so, declared where identities are checked. */
import { isDeclared, partsOf } from './types.js';

const checkers = /\/app\/(platform|accounts)\//;

/** @param {import('typescript').Type} type */
export const isPassedGuard = (type) => isDeclared(type, /^PassedGuard$/, checkers);

/** @param {import('typescript').Type} type A passed or failed one, of the platform or of the site's own accounts. */
export const isGuard = (type) => isDeclared(type, /Guard$/, checkers);

/** @param {import('typescript').Type} type */
export const isFailedGuard = (type) => isDeclared(type, /^Failed\w*Guard$/, checkers);

/** @param {import('typescript').Type} type */
export const isRequest = (type) => partsOf(type).some(({ symbol }) => symbol?.name === 'Request');

/** @param {string} file Whether what it declares is trusted to check first. */
export const checksIdentity = (file) => checkers.test(file);
