// @ts-check
/**
 * Ends this process once its parent is gone, or its grandparent, since npm puts a shell between: a SIGKILL
 * cannot be passed on. Imported, or loaded by `node --import`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

const parent = process.ppid;
const grandparent = parentOf(parent);

setInterval(() => {
  // POSIX gives an orphan another parent. Windows keeps the old number.
  if (process.ppid !== parent || isGone(parent) || isGone(grandparent)) process.exit(1);
}, LOOK_EVERY_MS).unref();

/** @param {number} pid */
function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Anything else is a process that this one may not touch.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/**
 * @param {number} pid
 * @returns {number} this process where there is no answer: it is never gone.
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
