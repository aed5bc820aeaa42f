import { expect, test } from 'vitest';
import { chooseBrowser, debianRights, isDebian, type Probes } from './browser.ts';

/** A machine without a browser and without permission to install one, unless a test says otherwise. */
function machine(has: Partial<Probes> = {}) {
  const lines: string[] = [];
  const probes: Probes = {
    playwright: () => Promise.resolve(null),
    system: () => Promise.resolve(null),
    debian: () => Promise.resolve(null),
    installDebian: () => Promise.reject(new Error('must not be called')),
    installPlaywright: () => Promise.reject(new Error('no network')),
    exclusively: (task) => task(),
    print: (line) => lines.push(line),
    ...has,
  };
  return { lines, choose: () => chooseBrowser(probes) };
}

/** A browser that is found only after it has been installed. */
function later(path: string) {
  let installed = false;
  return {
    find: () => Promise.resolve(installed ? path : null),
    install: () => {
      installed = true;
      return Promise.resolve();
    },
  };
}

test('Playwright’s own browser comes first, and no other probe runs', async () => {
  const { choose, lines } = machine({
    playwright: () => Promise.resolve('/cache/chrome'),
    system: () => Promise.reject(new Error('looked')),
    exclusively: () => Promise.reject(new Error('waited')),
  });
  expect(await choose()).toEqual({ executablePath: '/cache/chrome', source: 'playwright' });
  expect(lines).toEqual([]);
});

test('the system’s browser comes second, without waiting for the installation lock', async () => {
  const { choose, lines } = machine({
    system: () => Promise.resolve('/usr/bin/chromium'),
    exclusively: () => Promise.reject(new Error('waited')),
  });
  expect(await choose()).toEqual({ executablePath: '/usr/bin/chromium', source: 'system' });
  expect(lines).toEqual([]);
});

test('Debian’s package comes third, for root and in CI', async () => {
  const chromium = later('/usr/bin/chromium');
  let how: string[] | undefined;
  const { choose, lines } = machine({
    system: chromium.find,
    debian: () => Promise.resolve(['sudo', '-n']),
    installDebian: (asRoot) => {
      how = asRoot;
      return chromium.install();
    },
  });
  expect(await choose()).toEqual({ executablePath: '/usr/bin/chromium', source: 'debian' });
  expect(how).toEqual(['sudo', '-n']);
  expect(lines).toHaveLength(1);
});

test('Playwright’s download comes last, where Debian’s package cannot be installed', async () => {
  const chromium = later('/cache/chrome');
  const { choose, lines } = machine({
    playwright: chromium.find,
    debian: () => Promise.resolve([]),
    installDebian: () => Promise.reject(new Error('no such package')),
    installPlaywright: chromium.install,
  });
  expect(await choose()).toEqual({ executablePath: '/cache/chrome', source: 'playwright' });
  expect(lines).toHaveLength(2);
});

test('on a developer’s machine only Playwright’s download is installed, never a system package', async () => {
  const { choose } = machine();
  await expect(choose()).rejects.toThrow(
    /^No Chromium for the end-to-end tests: run `npx playwright install chromium`, or install Chromium so that `chromium` is on the PATH\.\n/,
  );
});

test('when all fails, the error names what was tried', async () => {
  const { choose } = machine({
    debian: () => Promise.resolve([]),
    installDebian: () => Promise.resolve(),
  });
  const error = await choose().catch(String);
  expect(error).toContain('does not start');
  expect(error).toContain('no network');
});

test.each<[string, { root: boolean; ci: string; sudo: boolean }, string[] | null]>([
  ['root may install', { root: true, ci: '', sudo: false }, []],
  ['root in CI may install', { root: true, ci: '1', sudo: true }, []],
  ['a CI with sudo may install', { root: false, ci: '1', sudo: true }, ['sudo', '-n']],
  ['a CI without sudo may not install', { root: false, ci: '1', sudo: false }, null],
  ['a developer with sudo may not install', { root: false, ci: '', sudo: true }, null],
  ['CI=false counts as a developer', { root: false, ci: 'false', sudo: true }, null],
])('%s', async (_, { sudo, ...who }, rights) => {
  let isTried = false;
  const mayUseSudo = () => {
    isTried = true;
    return Promise.resolve(sudo);
  };
  expect(await debianRights({ ...who, sudo: mayUseSudo })).toEqual(rights);
  expect(isTried, 'sudo is not even tried on a person’s machine').toBe(!who.root && who.ci === '1');
});

test('of two concurrent processes, the second uses what the first installed', async () => {
  const chromium = later('/usr/bin/chromium');
  let installations = 0;
  let turn = Promise.resolve();
  const has: Partial<Probes> = {
    system: chromium.find,
    debian: () => Promise.resolve([]),
    installDebian: () => {
      installations++;
      return chromium.install();
    },
    exclusively: (task) => {
      const result = turn.then(task);
      turn = result.then(() => undefined);
      return result;
    },
  };
  const both = await Promise.all([machine(has).choose(), machine(has).choose()]);
  expect(both.map(({ source }) => source)).toEqual(['debian', 'system']);
  expect(installations).toBe(1);
});

test.each([
  ['ID=debian\n', true],
  ['NAME="Raspbian"\nID=raspbian\nID_LIKE=debian\n', true],
  ['ID=ubuntu\nID_LIKE=debian\n', false],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', false],
  ['ID="fedora"\n', false],
  ['', false],
])('%j: Debian is %s', (osRelease, expected) => {
  expect(isDebian(osRelease)).toBe(expected);
});
