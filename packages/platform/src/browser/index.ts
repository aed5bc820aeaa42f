/** Navigation to sign-in and sign-out, and who is signed in. */
export * from './auth-navigation.ts';
export * from './user.ts';
