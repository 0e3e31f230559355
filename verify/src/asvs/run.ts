/**
 * `npm run verify -- asvs`: prints the number of verdicts on OWASP ASVS 5.0, levels 1 and 2, for
 * each chapter; `verify/asvs.md` contains the whole table.
 */
import { countLines } from './page.ts';

for (const line of countLines()) console.log(line);
