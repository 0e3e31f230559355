/** UTF-8 where it is, else GBK, as spreadsheets of Chinese offices write it. */
const decoded = (file: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('gb18030').decode(file);
  }
};

const separators = [',', ';', '\t'] as const;

/** The one that stands most often outside of quotation marks in the first lines. */
const separatorOf = (text: string): string => {
  const head = text.slice(0, 20_000).replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string): number => head.split(separator).length;
  return separators.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ',');
};

/** Between rows, so that others get their turn. */
const pause = (): Promise<void> => new Promise((later) => setImmediate(later));
const stride = 2_000;

/** The rows of a CSV file as it stands: quotation marks may hold separators and line ends, two of them are one. */
export async function* separated(file: Buffer): AsyncGenerator<string[]> {
  const text = decoded(file);
  const separator = separatorOf(text);
  const plain = new RegExp(`[${separator === '\t' ? '\\t' : separator}\\r\\n]`, 'g');
  let row: string[] = [];
  let count = 0;
  let at = 0;
  while (at < text.length) {
    let cell: string;
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end < 0) end = text.length;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else cell = '';
    plain.lastIndex = at;
    const next = plain.exec(text)?.index ?? text.length;
    row.push(cell + text.slice(at, next));
    if (text[next] === separator) {
      at = next + 1;
      if (at < text.length) continue;
      row.push('');
    } else at = next + (text[next] === '\r' && text[next + 1] === '\n' ? 2 : 1);
    yield row;
    row = [];
    if (++count % stride === 0) await pause();
  }
}
