import { createHash } from 'node:crypto';
import { visibleText } from '@waystation/contract/visible-text.ts';

/** Written into the hash, so that none is equal to one of titles without their brackets, as they were remembered before. */
const edition = 'titles 2';

const asItStands = (title: string): string => visibleText(title).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

/** SHA-256 of titles as they stand: only spacing, case and the width of characters make no difference. */
export const titlesHash = (titles: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([edition, ...titles.map(asItStands)]))
    .digest('hex');
