/**
 * `npm run verify -- asvs`: prints the number of verdicts for each chapter of OWASP ASVS 5.0,
 * levels 1 and 2. `verify/asvs.md` contains the whole table.
 */
import { countLines } from './page.ts';

for (const line of countLines()) console.log(line);
