import { expect, test } from 'vitest';

test('the browser’s modules load on the server without a DOM [W23]', async () => {
  expect(typeof document).toBe('undefined');
  const files = await Promise.all([
    import('@gatehouse/frame/browser'),
    import('./auth-navigation.ts'),
    import('./user.ts'),
  ]);
  expect(files).toHaveLength(3);
});

test('the download helper fails outside a browser [W23]', async () => {
  const { downloadAuthenticatedFile } = await import('@gatehouse/frame/browser');
  await expect(downloadAuthenticatedFile({ url: '/api/x', filename: 'x' })).rejects.toThrow(
    ReferenceError,
  );
});
