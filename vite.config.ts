import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { siteServer } from '@gatehouse/server/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), siteServer()],
  resolve: { alias: { '~': fileURLToPath(new URL('app', import.meta.url)) } },
});
