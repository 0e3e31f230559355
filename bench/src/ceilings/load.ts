/**
 * Produces the load of one hostile clerk and one careless administrator. It runs in a separate
 * thread, so that the handling of its responses does not delay the measurement of other users.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { pause } from '#browser/program.ts';
import { logIn } from './client.ts';
import type { Ask } from './client.ts';
import { hostileWorkbook, tinyStrings } from './hostile-workbook.ts';
import type { Part } from './hostile-workbook.ts';

/** The number of searches that the account runs simultaneously. */
const searchers = 4;
/** Milliseconds between two polls of a job. */
const interval = 500;

const syllables = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗';
/**
 * The most expensive searches that the server accepts: a text of 100 characters, frequent single
 * characters, and 2,000 numbers.
 */
const searches = [
  '深'.repeat(100),
  [...syllables].slice(0, 8).join(' '),
  '张',
  'JDVE0000',
  `${syllables.repeat(5)}`,
  Array.from({ length: 2_000 }, (_, at) => `JDVE${String(at).padStart(11, '0')}`).join(' '),
].map((q) => `/api/arco/expresses?q=${encodeURIComponent(q)}&page_size=200`);

/** The results of one phase of load. */
export interface LoadCount {
  /** The number of searches for each HTTP status of the answer. */
  answers: Record<number, number>;
  workbooks: number;
  exports: number;
}

interface Window {
  on: boolean;
  count: LoadCount;
}

const search = async (ask: Ask, window: Window, from: number): Promise<void> => {
  const { answers } = window.count;
  for (let at = from; window.on; at++) {
    const { status, retryAfter } = await ask('GET', searches[at % searches.length]!);
    answers[status] = (answers[status] ?? 0) + 1;
    if (retryAfter > 0) await pause(retryAfter * 1000);
  }
};

let made = 0;

/**
 * Uploads the next workbook as soon as the previous workbook has failed. Ends when the last
 * workbook has failed.
 */
const upload = async (ask: Ask, window: Window, strings: Part): Promise<void> => {
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 7);
  while (window.on) {
    const name = made++;
    const form = new FormData();
    form.append('period', month);
    form.append('provider', 'jdl');
    form.append(
      'file',
      new Blob([new Uint8Array(await hostileWorkbook(strings, name))]),
      `bill-${name}.xlsx`,
    );
    const { status, data } = await ask('POST', '/api/arco/reconciliations', form);
    if (status !== 200) throw new Error(`the upload answered ${status} ${JSON.stringify(data)}`);
    window.count.workbooks++;
    const { id } = data as { id: number };
    while (
      ((await ask('GET', `/api/arco/reconciliations/${id}`)).data as { status: string }).status !==
      'failed'
    )
      await pause(interval);
  }
};

const columns = [
  'delivery_id',
  'order_id',
  'receive_name',
  'receive_address',
  'post_amount',
  'state_txt',
  'created_at',
].map((key) => ({ key, title: key }));

/**
 * Starts the next export as soon as the file of the previous export is ready. Ends when the file of
 * the last export is ready.
 */
const exportAll = async (ask: Ask, window: Window): Promise<void> => {
  while (window.on) {
    const { status, data } = await ask('POST', '/api/arco/exports', {
      list: 'expresses',
      filters: {},
      columns,
      format: 'xlsx',
      language: 'zh',
    });
    if (status !== 200) throw new Error(`the export answered ${status} ${JSON.stringify(data)}`);
    const { job_id } = data as { job_id?: number };
    window.count.exports++;
    for (
      let state = 'queued';
      job_id !== undefined && ['queued', 'running', 'waiting'].includes(state);
    ) {
      await pause(interval);
      ({ status: state } = (await ask('GET', `/api/arco/jobs/${job_id}`)).data as {
        status: string;
      });
    }
  }
};

const { base } = workerData as { base: string };
const strings = await tinyStrings();
const [clerk, admin] = await Promise.all([logIn(base, 'clerk'), logIn(base, 'admin')]);
let window: Window | null = null;
const only = process.env['CEILINGS_ONLY'] ?? 'searches workbooks exports';

parentPort!.on('message', (on: boolean) => {
  if (!on) {
    window!.on = false;
    return;
  }
  const started: Window = { on: true, count: { answers: {}, workbooks: 0, exports: 0 } };
  window = started;
  void Promise.all([
    ...(only.includes('searches')
      ? Array.from({ length: searchers }, (_, at) => search(clerk, started, at))
      : []),
    ...(only.includes('workbooks') ? [upload(admin, started, strings)] : []),
    ...(only.includes('exports') ? [exportAll(admin, started)] : []),
  ]).then(() => parentPort!.postMessage(started.count));
});
parentPort!.postMessage('ready');
