/** Navigation to sign-in and sign-out, and who is signed in. */
export * from './auth-navigation';
export * from './user';
