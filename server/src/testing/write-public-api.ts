// `npm run public-api` writes the present public API to a file before a release. Later versions
// must not break any call that the file describes (public-api.test.ts).
import { writeFileSync } from 'node:fs';
import { publicApi } from './public-api.ts';

writeFileSync(
  new URL('../../../docs/public-api-v1.json', import.meta.url),
  `${JSON.stringify(publicApi())}\n`,
);
