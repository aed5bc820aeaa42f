// @ts-check
/**
 * Ends this process once its parent is gone, or its grandparent, since npm puts a shell in between. Needed because a
 * parent cannot forward SIGKILL. Imported, or loaded with `node --import`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

const parent = process.ppid;
const grandparent = parentOf(parent);

setInterval(() => {
  // POSIX gives an orphan a new parent. Windows keeps the old pid.
  if (process.ppid !== parent || isGone(parent) || isGone(grandparent)) process.exit(1);
}, LOOK_EVERY_MS).unref();

/** @param {number} pid */
function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Any other error means a process that this one may not signal.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/**
 * @param {number} pid
 * @returns {number} the parent's pid, or this process's own, which is never gone, if it is unknown.
 */
function parentOf(pid) {
  try {
    const found =
      process.platform === 'linux'
        ? /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(found) || process.pid;
  } catch {
    return process.pid;
  }
}
