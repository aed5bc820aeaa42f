/** Makes the codes of `error-messages.ts` known to the package, whose types they extend. */
import type {} from '@gatehouse/platform';
import type * as messages from './error-messages';

type Messages = typeof messages;

/** A code that has its message in `error-messages.ts`. */
export type OwnErrorCode = { [Name in keyof Messages]: keyof Messages[Name] }[keyof Messages];

declare module '@gatehouse/platform' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an augmentation can only be an interface
  interface PlatformErrorCodes extends Record<OwnErrorCode, true> {}
}
