/**
 * `npm run verify -- asvs`: the counts of the verdicts on OWASP ASVS 5.0, levels 1 and 2, by
 * chapter; `verify/asvs.md` is the whole table.
 */
import { countLines } from './page.ts';

for (const line of countLines()) console.log(line);
