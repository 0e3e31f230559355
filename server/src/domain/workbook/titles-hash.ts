import { createHash } from 'node:crypto';
import { visibleText } from '@waystation/contract/base/visible-text.ts';

/**
 * A constant that is hashed together with the titles. Older hashes were calculated from titles
 * without their parentheses, and must not equal a new hash.
 */
const edition = 'titles 2';

const asItStands = (title: string): string =>
  visibleText(title).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

/**
 * SHA-256 of titles. Titles that differ only in spacing, case or the width of characters have the
 * same hash.
 */
export const titlesHash = (titles: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([edition, ...titles.map(asItStands)]))
    .digest('hex');
