import { mostSheetParcels } from '@waystation/contract/base/limits.ts';
import { eventually, exampleOrder } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';

let keys = 0;
const order = async (
  system: TestSystem,
  token: string,
  change: Record<string, unknown>,
): Promise<{ id: number; status: number }> => {
  const key = { 'idempotency-key': `attack-files-${Date.now()}-${++keys}` };
  const { status, data } = await system.call<{ id: number }>(
    { token, headers: key },
    'POST',
    '/api/arco/expresses',
    exampleOrder(change),
  );
  return { id: data.id, status };
};

/**
 * Splits CSV text into cells as a spreadsheet program with this separator does. A quotation mark
 * has an effect only at the beginning of a cell.
 */
const cellsOf = (text: string, separator: string): string[] => {
  const quote = '"';
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at++) {
    let cell = '';
    if (text[at] === quote) {
      for (at++; at < text.length && !(text[at] === quote && text[at + 1] !== quote); at++) {
        cell += text[at];
        if (text[at] === quote) at++;
      }
      at++;
    }
    for (
      ;
      at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r';
      at++
    )
      cell += text[at];
    cells.push(cell);
  }
  return cells;
};

const hostileTexts = ['=1+1', '+1', '-1+1', '@SUM(1)', '＝1+1', '\t=1', ' =1'].flatMap(
  (formula) => [
    formula,
    ...[';', ',', '|', '\t', '\n', ';"', '; '].map((separator) => `好${separator}${formula}`),
  ],
);

export const fileAttacks: readonly Attack[] = [
  {
    name: 'a clerk hides formulas behind every separator in what the office exports',
    slice: true,
    run: async (system, judge) => {
      const [clerk, office] = [await system.login('clerk'), await system.login('super')];
      const ids: number[] = [];
      for (const remark of hostileTexts) {
        const { id, status } = await order(system, clerk, {
          draft: 1,
          remark,
          receive_name: '张三',
        });
        if (status === 200) ids.push(id);
      }
      judge(
        ids.length > hostileTexts.length / 2,
        `only ${ids.length} of ${hostileTexts.length} remarks were taken`,
      );
      const body = {
        list: 'expresses',
        filters: {},
        ids,
        columns: [
          { key: 'remark', title: '备注' },
          { key: 'order_id', title: '订单号' },
        ],
        format: 'csv',
        language: 'zh',
      };
      const { status, bytes } = await system.call(office, 'POST', '/api/arco/exports', body);
      judge(status === 200, `the export was answered ${status}`);
      const text = bytes.toString().replace('\ufeff', '');
      for (const separator of [',', ';', '\t', '|']) {
        const formulas = cellsOf(text, separator).filter((cell) =>
          /^[\s\u200b\ufeff"]*[=+\-@＝＋－＠]/.test(cell),
        );
        judge(
          formulas.length === 0,
          `read with ${JSON.stringify(separator)}, ${JSON.stringify(formulas[0])} is a formula`,
        );
      }
    },
  },
  {
    name: 'a clerk prints two thousand parcels that are not there, so that the answer’s headers burst',
    bound: '8,000 bytes of headers',
    slice: true,
    run: async (system, judge) => {
      const clerk = await system.login('clerk');
      await system.topUp('nanshan', 100_000);
      const { id } = await order(system, clerk, {});
      await eventually(
        async () =>
          (await system.call<{ state_code: number }>(clerk, 'GET', `/api/arco/expresses/${id}`))
            .data.state_code === 100,
      );
      const unknown = Array.from({ length: mostSheetParcels - 1 }, (_, n) => 900_000_000 + n);
      const print = (ids: number[], change: object = {}) =>
        system.call<{ code: string; failures?: object[] }>(clerk, 'POST', '/api/arco/labels', {
          ids,
          format: '76x130',
          ...change,
        });
      const headerBytes = (headers: Headers): number =>
        [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
      const printed = await print([...unknown, id]);
      judge(
        printed.status === 200 && headerBytes(printed.headers) < 8_000,
        `the labels were answered ${printed.status} with ${headerBytes(printed.headers)} bytes of headers`,
      );
      const told = await print([...unknown, id], { result: 1, reason: '攻击' });
      judge(
        told.bytes.toString().includes(String(unknown[0])) &&
          told.bytes.toString().includes(String(unknown.at(-1))),
        'the body does not name the parcels that failed',
      );
      judge(
        headerBytes(told.headers) < 8_000,
        `the answer has ${headerBytes(told.headers)} bytes of headers`,
      );
      const none = await print(unknown);
      judge(
        none.status === 404 && none.data.failures?.length === unknown.length,
        `a print of nothing was answered ${none.status} with ${none.data.failures?.length} reasons`,
      );
    },
  },
];
