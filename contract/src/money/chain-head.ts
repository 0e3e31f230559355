/** The smallest number of digits with which a chain head can be compared. */
const fewestHeadDigits = 16;
const allDigits = 64;

export interface TypedHead {
  /** The number of the link, if it was typed; else null. */
  seq: number | null;
  /** The hash, or its first 16 to 64 hexadecimal digits, in lower case. */
  hash: string;
}

/**
 * Reads a chain head that was typed from a printed page. The text may be the whole line or only the
 * digits, and may contain spaces and line breaks: `第 12 条 9f86 d081…`, `Hash chain head no. 12
 * 9f86…`. Null: the text is no chain head.
 */
export const typedHead = (text: string): TypedHead | null => {
  const line = text.normalize('NFKC');
  const number = /第\s*(\d{1,15})\s*条|no\.\s*(\d{1,15})(?!\w)/i.exec(line);
  const hash = (number ? line.slice(number.index + number[0].length) : line)
    .replaceAll(/\s/g, '')
    .toLowerCase();
  if (hash.length < fewestHeadDigits || hash.length > allDigits || !/^[0-9a-f]+$/.test(hash))
    return null;
  return { seq: number ? Number(number[1] ?? number[2]) : null, hash };
};
