/** For server and browser alike: the platform's addresses, profiles and error codes. */
export * from './auth-routes.ts';
export * from './error-codes.ts';
export * from './profile.ts';
