/** For server and browser alike: the platform's addresses, profiles and error codes. */
export * from './auth-routes';
export * from './error-codes';
export * from './media-types';
export * from './profile';
