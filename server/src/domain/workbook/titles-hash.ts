import { createHash } from 'node:crypto';
import { visibleText } from '@waystation/contract/base/visible-text.ts';

/**
 * A constant that is hashed too. With it, a hash never equals an older hash, which was calculated
 * from titles without their brackets.
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
