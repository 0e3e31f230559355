// `npm run public-api` writes the present public part of the API, before a release. The API may not
// break anything of that file afterwards (public-api.test.ts).
import { writeFileSync } from 'node:fs';
import { publicApi } from './public-api.ts';

writeFileSync(
  new URL('../../../docs/public-api-v1.json', import.meta.url),
  `${JSON.stringify(publicApi())}\n`,
);
