import { expect, test } from 'vitest';
import { csvOf } from './result-csv.ts';

test('a result file opens in a spreadsheet with complete texts, and no text is run as a formula', async () => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    await csvOf([
      ['名称', '原因'],
      ['=1+1', '他说 "不", 换行\n后'],
    ]).arrayBuffer(),
  );
  expect(text).toBe('\uFEFF名称,原因\r\n\'=1+1,"他说 ""不"", 换行\n后"\r\n');
});
