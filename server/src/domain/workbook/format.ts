import type { WorkbookFormat } from './cells.ts';
import { textOf } from './encoding.ts';
import type { UnreadableCode } from './limits.ts';

export type RefusedFormat = {
  refused:
    | Extract<UnreadableCode, 'file_not_workbook' | 'file_encrypted'>
    | 'file_old_xls'
    | 'file_web_page'
    | 'file_xml'
    | 'file_type_unknown';
};

const startsWith = (bytes: Buffer, ...mark: number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte);
const latin = (text: string): number[] => [...Buffer.from(text, 'latin1')];

/**
 * The first bytes of an OLE document: an .xls file of Excel 5 to 2003, or a workbook with a
 * password.
 */
const ole = [0xd0, 0xcf, 0x11, 0xe0];
/** The first bytes of .xls files of Excel 2, 3 and 4. */
const records: readonly number[][] = [
  [0x09, 0x00, 0x04, 0x00],
  [0x09, 0x02, 0x06, 0x00],
  [0x09, 0x04, 0x06, 0x00],
];
/** The first bytes of documents, pictures and archives of other kinds, which may look like text. */
const others: readonly number[][] = [
  latin('%PDF'),
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  latin('GIF8'),
  [0x1f, 0x8b],
  latin('Rar!'),
  latin('7z\u00bc\u00af'),
];

/** The number of first bytes that show if a file is text. */
const headBytes = 4_096;
const isWebPage = (head: string): boolean =>
  /^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|meta|style|script|table|div)\b/i.test(
    head,
  );

/**
 * The format of a file, decided by its content. The file name decides only if the content is text:
 * a text named like a workbook is read if it is a table with tabs, and refused if it is a web page.
 */
export const formatOf = ({
  name,
  bytes,
}: {
  name: string;
  bytes: Buffer;
}): WorkbookFormat | RefusedFormat => {
  if (startsWith(bytes, ...latin('PK\u0003\u0004'))) return 'xlsx';
  if (startsWith(bytes, ...latin('PK\u0005\u0006'))) return { refused: 'file_not_workbook' };
  if (startsWith(bytes, ...ole))
    return {
      refused: bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
        ? 'file_encrypted'
        : 'file_old_xls',
    };
  if (records.some((record) => startsWith(bytes, ...record))) return { refused: 'file_old_xls' };
  if (others.some((mark) => startsWith(bytes, ...mark))) return { refused: 'file_type_unknown' };
  const head = textOf(bytes.subarray(0, headBytes)).replace(
    /^(?:\s|<!--(?:[^-]|-[^-]|--+[^->])*--+>)+/,
    '',
  );
  if (isWebPage(head)) return { refused: 'file_web_page' };
  if (head.startsWith('<?xml')) return { refused: 'file_xml' };
  if (/\.(?:csv|txt|tsv)$/i.test(name)) return 'csv';
  return /\.xls[xm]?$/i.test(name) && !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(head)
    ? 'csv'
    : { refused: 'file_type_unknown' };
};
