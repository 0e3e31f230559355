import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, rowsOf } from './test-system.ts';
import type { Answer, TestSystem } from './test-system.ts';

const base = '/api/arco/imports';
export const sheetTitles = [
  '收件人',
  '手机',
  '省',
  '市',
  '区',
  '详细地址',
  '物品',
  '重量(kg)',
  '订单号',
] as const;
type Title = (typeof sheetTitles)[number];

export interface Edited {
  changed: number;
  import: Import;
}

/**
 * Returns functions that make import sheets of valid lines. Each line describes a different parcel.
 */
const sheetMaker = () => {
  let lines = 0;
  return {
    /** Returns a valid line of a sheet in which the given cells are changed. */
    line: (changes: Partial<Record<Title, string>> = {}): string[] => {
      const n = ++lines;
      const cells = [
        '示例收件人',
        `137${10_000_000 + n}`,
        '上海市',
        '上海市',
        '浦东新区',
        `示例路 ${n} 号`,
        '文件',
        '1.5',
        '',
      ];
      return sheetTitles.map((title, at) => changes[title] ?? cells[at]!);
    },
    sheet: (...rows: string[][]): File =>
      new File(
        [[sheetTitles, ...rows].map((cells) => cells.join(',')).join('\n')],
        `表 ${++lines}.csv`,
      ),
  };
};

/** Returns functions that create import sheets and do a clerk's actions on them over HTTP. */
export const openImports = async (system: TestSystem, username = 'clerk') => {
  const token = await system.login(username);
  let keys = 0;
  const call = <T = Import>(method: string, path: string, body?: object): Promise<Answer<T>> =>
    system.call<T>(
      { token, headers: { 'idempotency-key': `${username}-key-${++keys}` } },
      method,
      `${base}${path}`,
      body,
    );
  const get = async (id: number): Promise<Import> => (await call('GET', `/${id}`)).data;
  const until = (id: number, done: (found: Import) => unknown): Promise<Import> =>
    eventually(async () => {
      const found = await get(id);
      return done(found) ? found : null;
    });
  const upload = async (file: File, fields: Record<string, string> = {}): Promise<Import> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', file);
    return (await call('POST', '', form)).data;
  };
  const settled = (id: number): Promise<Import> =>
    until(id, ({ status }) => !['reading', 'checking', 'ordering'].includes(status));
  /** Uploads a file and waits until the import is checked. */
  const checked = async (file: File): Promise<Import> => settled((await upload(file)).id);
  const priced = async ({ id }: Pick<Import, 'id'>): Promise<Import> => {
    await call('POST', `/${id}/quote`, { version: (await get(id)).version });
    return until(id, ({ quote }) => quote !== null);
  };
  const confirm = async ({ id, version, quote }: Import): Promise<Import> =>
    (
      await call('POST', `/${id}/confirm`, {
        version,
        expected_amount: quote!.post_amount,
        rows: 'all',
      })
    ).data;
  const ordered = async (found: Pick<Import, 'id'>): Promise<Import> => {
    const { id } = await confirm(await priced(found));
    return until(id, ({ status }) => status === 'done' || status === 'paused');
  };
  return {
    call,
    get,
    until,
    upload,
    ...sheetMaker(),
    settled,
    checked,
    priced,
    confirm,
    ordered,
    /** Confirms an import. Its rows stay waiting, because no worker runs. */
    waiting: async (found: Pick<Import, 'id'>): Promise<Import> => {
      const quoted = await priced(found);
      await system.worker.stop();
      return confirm(quoted);
    },
    restart: async (): Promise<void> => {
      system.worker = await system.startWorker();
    },
    rows: async (id: number): Promise<ImportRow[]> =>
      (await call<{ items: ImportRow[] }>('GET', `/${id}/rows?page_size=200`)).data.items,
    edit: async (id: number, change: object): Promise<Edited> => {
      const answer = await call<Edited>('POST', `/${id}/edits`, {
        version: (await get(id)).version,
        ...change,
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
      return answer.data;
    },
    /** Counts the rows of an import again, without the stored counts. */
    recounted: async (id: number): Promise<Record<string, number>> =>
      Object.fromEntries(
        (
          await rowsOf(
            system,
            sql<{ mark: string; n: number }>`select mark, count(*)::int as n
          from import_rows where import_id = ${id} group by mark`,
          )
        ).map(({ mark, n }) => [mark, n]),
      ),
    /** Marks rows of an import as refused. A refused order would have the same effect. */
    refuse: (id: number, ...nos: number[]) =>
      rowsOf(
        system,
        sql`update import_rows
        set mark = 'refused', reason = '{"code":"price_changed"}' where import_id = ${id}
        and no = any(${nos}::int[])`,
      ),
  };
};

export type TestImports = Awaited<ReturnType<typeof openImports>>;
