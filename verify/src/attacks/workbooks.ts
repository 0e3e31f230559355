import { inflatingWorkbook, tinyStringsWorkbook } from '@waystation/server/testing/workbooks.ts';
import { eventually } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';

const base = '/api/arco/reconciliations';
interface Bill {
  id: number;
  status: string;
  reason: { code: string } | null;
}

/**
 * Uploads a bill and waits until it has been read or its reading has failed. Makes other requests
 * while it waits.
 */
const upload = async (
  system: TestSystem,
  file: Buffer,
): Promise<{ bill: Bill; others: number[] }> => {
  const [admin, clerk] = [await system.login('admin'), await system.login('clerk')];
  const form = new FormData();
  form.append('period', new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7));
  form.append('provider', 'jdl');
  form.append('file', new File([new Uint8Array(file)], 'bill.xlsx'));
  const { data } = await system.call<Bill>(admin, 'POST', base, form);
  const others: number[] = [];
  const bill = await eventually(async () => {
    others.push((await system.call(clerk, 'GET', '/api/arco/expresses')).status);
    const { data: now } = await system.call<Bill>(admin, 'GET', `${base}/${data.id}`);
    return !['reading', 'matching'].includes(now.status) && now;
  }, 90_000);
  return { bill, others };
};

const attackWith = (name: string, file: () => Buffer, codes: readonly string[]): Attack => ({
  name,
  run: async (system, judge) => {
    const { bill, others } = await upload(system, file());
    judge(
      bill.status === 'failed' && codes.includes(bill.reason?.code ?? ''),
      `the file ended as ${bill.status}: ${JSON.stringify(bill.reason)}`,
    );
    judge(
      others.every((status) => status === 200),
      `others were answered ${[...new Set(others)].join(', ')} meanwhile`,
    );
  },
});

export const workbookAttacks: readonly Attack[] = [
  attackWith(
    'an office worker uploads 1 MB of tiny shared strings that inflate to 300 MB',
    tinyStringsWorkbook,
    ['file_string_count'],
  ),
  attackWith(
    'an office worker uploads a file of spaces that inflates to 500 MB',
    () => inflatingWorkbook('spaces', 500),
    ['file_inflates'],
  ),
  attackWith('an office worker uploads one cell of 50 MB', () => inflatingWorkbook('cell', 50), [
    'file_cell',
  ]),
];
