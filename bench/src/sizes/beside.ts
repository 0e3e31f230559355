import { pause } from '#browser/program.ts';
import { logIn } from '#ceilings/client.ts';
import type { Ask } from '#ceilings/client.ts';
import { runAt } from './open-loop.ts';
import type { Mix } from './mix.ts';

/**
 * The work of other users. It is repeated until `stop` is called. `stop` returns the amount of work
 * that was done.
 */
export interface Work {
  name: string;
  stop(): Promise<number>;
}

const interval = 500;

const repeated = (name: string, once: (round: number) => Promise<number>): Work => {
  let [going, done] = [true, 0];
  const ended = (async () => {
    for (let round = 0; going; round++) done += await once(round);
  })();
  return {
    name,
    stop: async () => {
      going = false;
      await ended;
      return done;
    },
  };
};

const ready = async (ask: Ask, path: string, open: readonly string[]): Promise<void> => {
  for (;;) {
    const { data } = await ask('GET', path);
    if (!open.includes(String((data as { status?: string } | null)?.status))) return;
    await pause(interval);
  }
};

const rows = 5_000;
const sheet = (round: number): string =>
  [
    '收件人,手机,收件地址,物品,重量(kg),件数,商家订单号',
    ...Array.from(
      { length: rows },
      (_, row) =>
        `张三,139${String(10_000_000 + row)},上海市浦东新区示例路${row}号,文件,1,1,S${round}-${row}`,
    ),
  ].join('\n');

/** Imports one sheet after another. Each sheet is read, checked and priced. */
export const importing = async (url: string): Promise<Work> => {
  const ask = await logIn(url, 'station');
  return repeated('imports of 5,000 rows', async (round) => {
    const form = new FormData();
    form.append('file', new File([sheet(round)], `sizes-${Date.now()}.csv`));
    const { status, data } = await ask('POST', '/api/arco/imports', form);
    if (status !== 200) throw new Error(`the import answered ${status} ${JSON.stringify(data)}`);
    const { id } = data as { id: number };
    await ready(ask, `/api/arco/imports/${id}`, ['reading', 'checking']);
    await ask('POST', `/api/arco/imports/${id}/cancel`, {});
    return 1;
  });
};

/** Exports all parcels again and again. */
export const exporting = async (url: string): Promise<Work> => {
  const ask = await logIn(url, 'admin');
  const columns = ['delivery_id', 'order_id', 'receive_name', 'post_amount'].map((key) => ({
    key,
    title: key,
  }));
  const body = { list: 'expresses', filters: {}, columns, format: 'xlsx', language: 'zh' };
  return repeated('exports of every parcel', async () => {
    const { status, data } = await ask('POST', '/api/arco/exports', body);
    if (status !== 200) {
      await pause(interval);
      return 0;
    }
    const { job_id } = data as { job_id?: number };
    if (job_id !== undefined)
      await ready(ask, `/api/arco/jobs/${job_id}`, ['queued', 'running', 'waiting']);
    return 1;
  });
};

/**
 * Sends `rate` pushes per second. Most of them repeat earlier pushes, because the carrier often
 * repeats pushes too.
 */
export const pushing = async ({ push }: Mix, rate: number): Promise<Work> =>
  repeated(`${rate.toFixed(0)} pushes a second`, async () => {
    const { answered } = await runAt([{ name: 'push', weight: 1, run: push }], rate, 1);
    return Math.round(answered);
  });
