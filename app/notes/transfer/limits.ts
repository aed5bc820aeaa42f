/** Limits of one import. */
export const importLimits = { bytes: 8 * 1024 * 1024, notes: 5_000, files: 100 };
