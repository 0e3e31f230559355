import { flatSheets } from './flat-sheets.ts';
import { parcels, plain, titles } from './parcels.ts';
import type { Case, Maker } from './parcels.ts';
import { byGnumeric, byLibreOffice, outputOf } from './programs.ts';

type Made = Case & { words: readonly string[] };
const text = ['-T', 'Gnumeric_stf:stf_assistant', '-O'];

const made: readonly Made[] = [
  {
    file: 'gnumeric-2007.xlsx',
    what: 'ECMA-376, first edition',
    words: ['-T', 'Gnumeric_Excel:xlsx'],
    expected: plain(),
  },
  {
    file: 'gnumeric-2010.xlsx',
    what: 'ISO/IEC 29500',
    words: ['-T', 'Gnumeric_Excel:xlsx2'],
    expected: plain(),
  },
  {
    file: 'gnumeric-plain.csv',
    what: 'commas, UTF-8',
    words: ['-T', 'Gnumeric_stf:stf_csv'],
    expected: plain(),
  },
  {
    file: 'gnumeric-semicolons-windows.csv',
    what: 'semicolons, every cell quoted, line ends of Windows, GB18030',
    words: [...text, 'separator=; quoting-mode=always eol=windows charset=GB18030'],
    expected: plain(),
  },
  {
    file: 'gnumeric-old-mac.txt',
    what: 'tabs, line ends of old Macs, UTF-16 without a mark',
    words: [...text, "separator='\t' eol=mac charset=UTF-16LE"],
    expected: plain(),
  },
  {
    file: 'gnumeric-excel95.xls',
    what: 'Excel 95',
    words: ['-T', 'Gnumeric_Excel:excel_biff7'],
    expected: { refused: 'file_old_xls' },
  },
  {
    file: 'gnumeric-own.gnumeric',
    what: 'its own format',
    words: ['-T', 'Gnumeric_XmlIO:sax'],
    expected: { refused: 'file_type_unknown' },
  },
];

export const gnumeric: Maker = {
  name: 'gnumeric',
  cases: made,
  program: async () =>
    (await outputOf('ssconvert', ['--version']))
      .split('\n')[0]!
      .replace(/^ssconvert version '(.*)'$/, 'Gnumeric $1'),
  make: async (file) => {
    const { words } = made.find((one) => one.file === file)!;
    const source = flatSheets([
      { name: '订单', rows: [titles, ...parcels].map((cells) => ({ cells })) },
    ]);
    // The file is converted first, because Gnumeric cannot open the flat XML format (.fods).
    const bytes = await byLibreOffice({ name: 'orders.fods', bytes: source }, 'ods:calc8');
    return byGnumeric({ name: 'orders.ods', bytes }, words, file);
  },
};
