import { expect, test } from 'vitest';
import { chooseBrowser, isDebian, type Probes } from './browser';

/** A machine with nothing on it and nothing allowed, but for what a test says. */
function machine(has: Partial<Probes> = {}) {
  const said: string[] = [];
  const probes: Probes = {
    playwright: () => Promise.resolve(null),
    system: () => Promise.resolve(null),
    debian: () => Promise.resolve(null),
    installDebian: () => Promise.reject(new Error('must not be called')),
    installPlaywright: () => Promise.reject(new Error('no network')),
    exclusively: (task) => task(),
    say: (line) => said.push(line),
    ...has,
  };
  return { said, choose: () => chooseBrowser(probes) };
}

/** A browser that is there once it has been installed. */
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

test('Playwright’s own browser comes first, and nothing else is looked at', async () => {
  const { choose, said } = machine({
    playwright: () => Promise.resolve('/cache/chrome'),
    system: () => Promise.reject(new Error('looked')),
    exclusively: () => Promise.reject(new Error('waited')),
  });
  expect(await choose()).toEqual({ executablePath: '/cache/chrome', source: 'playwright' });
  expect(said).toEqual([]);
});

test('then the system’s, without waiting for anyone’s installation', async () => {
  const { choose, said } = machine({
    system: () => Promise.resolve('/usr/bin/chromium'),
    exclusively: () => Promise.reject(new Error('waited')),
  });
  expect(await choose()).toEqual({ executablePath: '/usr/bin/chromium', source: 'system' });
  expect(said).toEqual([]);
});

test('then Debian’s package, where the machine is there for it', async () => {
  const chromium = later('/usr/bin/chromium');
  let how: string[] | undefined;
  const { choose, said } = machine({
    system: chromium.find,
    debian: () => Promise.resolve({ asRoot: ['sudo', '-n'], welcome: true }),
    installDebian: (asRoot) => {
      how = asRoot;
      return chromium.install();
    },
  });
  expect(await choose()).toEqual({ executablePath: '/usr/bin/chromium', source: 'debian' });
  expect(how).toEqual(['sudo', '-n']);
  expect(said).toHaveLength(1);
});

test('then Playwright’s download, where Debian’s package cannot be had', async () => {
  const chromium = later('/cache/chrome');
  const { choose, said } = machine({
    playwright: chromium.find,
    debian: () => Promise.resolve({ asRoot: [], welcome: true }),
    installDebian: () => Promise.reject(new Error('no such package')),
    installPlaywright: chromium.install,
  });
  expect(await choose()).toEqual({ executablePath: '/cache/chrome', source: 'playwright' });
  expect(said).toHaveLength(2);
});

test('then Playwright’s download, before anything is installed with a person’s sudo', async () => {
  const chromium = later('/cache/chrome');
  const { choose, said } = machine({
    playwright: chromium.find,
    debian: () => Promise.resolve({ asRoot: ['sudo', '-n'], welcome: false }),
    installPlaywright: chromium.install,
  });
  expect(await choose()).toEqual({ executablePath: '/cache/chrome', source: 'playwright' });
  expect(said).toHaveLength(1);
});

test('last Debian’s package with sudo, and says so before', async () => {
  const chromium = later('/usr/bin/chromium');
  const done: string[] = [];
  const { choose } = machine({
    system: chromium.find,
    debian: () => Promise.resolve({ asRoot: ['sudo', '-n'], welcome: false }),
    installPlaywright: () => Promise.reject(new Error('no network')),
    installDebian: (asRoot) => {
      done.push(asRoot.join(' '));
      return chromium.install();
    },
    say: (line) => done.push(line),
  });
  expect(await choose()).toEqual({ executablePath: '/usr/bin/chromium', source: 'debian' });
  expect(done).toEqual([
    expect.stringContaining('Playwright'),
    expect.stringContaining('with sudo'),
    'sudo -n',
  ]);
});

test('when all fails, the error names what to do and what was tried', async () => {
  const { choose } = machine({
    debian: () => Promise.resolve({ asRoot: [], welcome: true }),
    installDebian: () => Promise.resolve(),
  });
  const error = await choose().catch(String);
  expect(error).toContain('npx playwright install chromium');
  expect(error).toContain('on the PATH');
  expect(error).toContain('does not start');
  expect(error).toContain('no network');
});

test('of two that ask at once, the second takes what the first installed', async () => {
  const chromium = later('/usr/bin/chromium');
  let installations = 0;
  let turn = Promise.resolve();
  const has: Partial<Probes> = {
    system: chromium.find,
    debian: () => Promise.resolve({ asRoot: [], welcome: true }),
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
