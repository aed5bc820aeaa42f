import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs `npm install`, in sight of the user. @returns whether it succeeded. */
export async function installed(cwd: string): Promise<boolean> {
  const shell = process.platform === 'win32';
  const [code] = (await once(
    spawn('npm', ['install'], { cwd, shell, stdio: 'inherit' }),
    'exit',
  )) as [number];
  return code === 0;
}
