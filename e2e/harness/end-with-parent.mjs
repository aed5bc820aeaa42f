// @ts-check
/**
 * Ends this process once its parent is gone, however that ended: nobody hands on a SIGKILL. Imported, or
 * loaded by `node --import`.
 */
const LOOK_EVERY_MS = 500;

const parent = process.ppid;

setInterval(() => {
  if (isGone()) process.exit(1);
}, LOOK_EVERY_MS).unref();

function isGone() {
  // POSIX gives an orphan another parent. Windows keeps the old number.
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
