/** `npm run init -- --framework react-router`. */
import { expect, test } from 'vitest';
import { repositoryOf, templateFiles } from '../test-repository.ts';

const page = "import { data } from '@remix-run/node';\n\nexport default data;\n";
const contents = { ...templateFiles, 'app/platform/user.ts': page };

test('the site’s modules are React Router’s, which its record says', async () => {
  const repository = await repositoryOf(contents);
  expect(await repository.init('lab', '--framework', 'react-router')).toMatchObject({ code: 0 });
  expect(await repository.read('app/platform/user.ts')).toBe(
    page.replace('@remix-run/node', 'react-router'),
  );
  expect(await repository.read('react-router.config.ts')).toContain('satisfies Config');
  expect(JSON.parse(await repository.read('.gatehouse.json'))).toMatchObject({
    framework: 'react-router',
  });
});

test('a later run, which only removes, leaves the framework', async () => {
  const repository = await repositoryOf(contents);
  await repository.init('lab', '--framework', 'react-router');
  await repository.write('app/own.ts', page);
  await repository.commit();
  expect(await repository.init('lab', '--without', 'mcp')).toMatchObject({ code: 0 });
  expect(await repository.read('app/own.ts')).toBe(page);
  expect(JSON.parse(await repository.read('.gatehouse.json'))).toMatchObject({
    framework: 'react-router',
  });
});

test('a site on Remix stays on it, and says so', async () => {
  const repository = await repositoryOf(contents);
  await repository.init('lab');
  await repository.commit();
  const { code, output } = await repository.init('lab', '--framework', 'react-router');
  expect([code, output]).toEqual([1, expect.stringContaining('was made for remix')]);
  expect(await repository.read('app/platform/user.ts')).toBe(page);
  expect(await repository.read('.gatehouse.json')).not.toContain('framework');
});

test('an unknown framework is refused', async () => {
  const repository = await repositoryOf(contents);
  const { code, output } = await repository.init('lab', '--framework', 'next');
  expect(code).toBe(1);
  expect(output).toContain('--framework accepts remix, react-router, not "next".');
});
