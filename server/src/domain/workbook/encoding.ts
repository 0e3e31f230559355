/** The byte order of UTF-16 without a mark, where every second of the first bytes is zero as in digits and separators; null: not UTF-16. */
const byteOrder = (file: Buffer): 'utf-16le' | 'utf-16be' | null => {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be';
  const head = file.subarray(0, 4_096);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++;
  const [even, odd] = zeros as [number, number];
  if (Math.max(even, odd) * 10 < head.length) return null;
  if (odd > even * 4) return 'utf-16le';
  return even > odd * 4 ? 'utf-16be' : null;
};

/** UTF-16 by its mark or its zeros, UTF-8 if it is valid, else GB18030, which spreadsheets in China write. A character that is cut off at the end is left out. */
export const textOf = (file: Buffer): string => {
  const order = byteOrder(file);
  if (order !== null) return new TextDecoder(order).decode(file, { stream: true });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file, { stream: true });
  } catch {
    return new TextDecoder('gb18030').decode(file, { stream: true });
  }
};
