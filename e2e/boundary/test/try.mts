import { openProofBrowser } from '../stage/proof-browser';
import { visitPage } from '../visit/visit-page';
import { printShop } from '../../harness/test/print-shop';
import { openHandmadeStage } from './browser-stage';
const t0 = Date.now();
const browser = await openProofBrowser();
const stage = await openHandmadeStage(
  printShop,
  'e2e/boundary/test/browser-site.mjs',
  process.argv.slice(2).map((path) => ({ path, loader: ['list-prints'] })),
);
console.log('stage', Date.now() - t0);
for (const route of stage.routes) {
  const t = Date.now();
  const v = await visitPage(browser, stage, route);
  console.log(route.path, Date.now() - t);
  if (process.env.SHOW) console.log(JSON.stringify(v, null, 1));
}
await browser.close();
await stage.close();
