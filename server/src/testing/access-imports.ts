import { sql } from '#platform/db/db.ts';
import type { Row } from './access-row.ts';
import { exampleOrder, rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

let count = 0;
const empty = {
  sender_id: null,
  receive_id: null,
  thr_order_id: '',
  guarantee_value_amount: 0,
  trans_type: 1,
  goods_type: 1,
  remark: '',
  description: '',
};
const priced = {
  rows: 1,
  post_amount: 1_800,
  covered_rows: 1,
  covered_amount: 1_800,
  provinces: [],
  promises: [],
  weight: 1_000,
};

/**
 * Creates an import with one row. The import belongs to the demo clerk if the clerk works at the
 * station, and otherwise to the super admin.
 */
const imported =
  (status: string, steps: { undo: number; redo: number } = { undo: 0, redo: 0 }) =>
  async (system: TestSystem, station_id: number): Promise<number> => {
    const { promise_id, ...order } = exampleOrder() as Record<string, unknown>;
    const fields = {
      ...empty,
      package_count: 1,
      length: 0,
      width: 0,
      height: 0,
      ...order,
      promise_id,
    };
    const quote = {
      ...priced,
      at: new Date().toISOString(),
      available: 1_000_000,
      has_amount: 1,
      available_after: 998_200,
    };
    const columns = ['收件人', '手机', '地址'].map((title, index) => ({
      index,
      title,
      samples: [],
    }));
    const rows = await rowsOf(
      system,
      sql<{ id: number }>`with i as (
          insert into imports (station_id, user_id, file_name, file_type, file_bytes,
            file_hash, status, rows_read, rows_total, columns, mapping, quote, edit_step,
            undo_steps, redo_steps)
          select ${station_id}, (select id from accounts a
            where a.username in ('clerk', 'super')
            and coalesce(a.station_id, ${station_id}) = ${station_id} order by a.username
            limit 1),
            ${`表 ${++count}.csv`}, 'csv', 1, ${Buffer.from(`import ${count}`)}, ${status}, 1,
              1, ${JSON.stringify(columns)}::jsonb,
              '{"receive_name":0,"receive_phone":1,"receive_address":2}',
            ${JSON.stringify(quote)}::jsonb, ${steps.undo}, ${steps.undo}, ${steps.redo}
              returning id),
         r as (insert into import_rows (import_id, no, line, cells, fields)
           select id, 1, 2, '["示例","13900139000","上海市浦东新区示例路"]',
           ${JSON.stringify(fields)}::jsonb from i),
         p as (insert into import_prices (import_id, no, promise_id, post_amount, cal_weight)
           select id, 1, ${promise_id}, 1800, 1000 from i),
         f as (insert into import_files (import_id, content, head)
           select id, 'x',
           '[{"line":1,"cells":["示例","13900139000","上海市浦东新区示例路"]}]' from i),
         s as (insert into import_steps (import_id, step, rows) select id, 1, 1 from i
           where ${steps.undo + steps.redo} > 0 returning import_id)
        select id from i`,
    );
    return rows[0]!.id;
  };

const ofImport = (tail: string, body?: object, status = 'ready', make = imported(status)): Row => ({
  about: 'row',
  owned: true,
  make,
  path: (id) => `/api/arco/imports/${id}${tail}`,
  ...(body && { body: () => body }),
});

/** The routes of imports. */
export const imports: Readonly<Record<string, Row>> = {
  'GET /api/arco/imports': { about: 'nothing' },
  'POST /api/arco/imports': {
    about: 'station',
    path: () => '/api/arco/imports',
    body: (id) => ({
      station_id: id,
      file: new File(
        [`收件人,手机,地址\n示例 ${++count},13900139000,上海市浦东新区示例路`],
        '表.csv',
      ),
    }),
  },
  'GET /api/arco/imports/template.xlsx': { about: 'nothing' },
  'GET /api/arco/imports/{id}': ofImport(''),
  'GET /api/arco/imports/{id}/marks': ofImport('/marks'),
  'GET /api/arco/imports/{id}/rows': ofImport('/rows'),
  'PATCH /api/arco/imports/{id}/rows/{row}': ofImport('/rows/1', {
    version: 1,
    values: { remark: 'x' },
  }),
  'POST /api/arco/imports/{id}/rows/{row}/reveal': ofImport('/rows/1/reveal', {}),
  'POST /api/arco/imports/{id}/edits': ofImport('/edits', {
    version: 1,
    action: 'set',
    field: 'remark',
    value: 'x',
  }),
  'POST /api/arco/imports/{id}/undo': ofImport(
    '/undo',
    { version: 1 },
    'ready',
    imported('ready', { undo: 1, redo: 0 }),
  ),
  'POST /api/arco/imports/{id}/redo': ofImport(
    '/redo',
    { version: 1 },
    'ready',
    imported('ready', { undo: 0, redo: 1 }),
  ),
  'GET /api/arco/imports/{id}/head': ofImport('/head'),
  'POST /api/arco/imports/{id}/sample': ofImport('/sample', {}),
  'POST /api/arco/imports/{id}/mapping': ofImport(
    '/mapping',
    { version: 1, mapping: { receive_name: 0, receive_phone: 1, receive_address: 2 } },
    'mapping',
  ),
  'POST /api/arco/imports/{id}/quote': ofImport('/quote', { version: 1 }),
  'POST /api/arco/imports/{id}/confirm': ofImport('/confirm', {
    version: 1,
    expected_amount: 1_800,
    rows: 'all',
  }),
  'POST /api/arco/imports/{id}/pause': ofImport('/pause', {}, 'ordering'),
  'POST /api/arco/imports/{id}/resume': ofImport('/resume', {}, 'paused'),
  'POST /api/arco/imports/{id}/cancel': ofImport('/cancel', {}),
  'GET /api/arco/imports/{id}/failed.xlsx': ofImport('/failed.xlsx'),
};
