import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { pinyinKeys, pinyinNames } from '#platform/pinyin.ts';

/**
 * The number of rows in one transaction, which locks them for a tenth of a second, and the limit of
 * transactions per table in one run.
 */
const batch = { rows: 150, transactions: 200 } as const;

/**
 * Fills in the pinyin of names that were written without it: rows older than the column, and rows
 * written by SQL only. One run handles at most 30,000 rows of a table, and the next run continues.
 */
export const fillPinyin = async ({ db }: Pick<App, 'db'>): Promise<void> => {
  for (const [table, column] of Object.entries(pinyinNames)) {
    let last = 0;
    for (let count = 0; count < batch.transactions; count++) {
      const filled = await db.tx(systemScope('pinyin of names'), async (work) => {
        const { rows } = await sql<{ id: number; name: string }>`select id,
          ${sql.ref(column)} as name from ${sql.table(table)} where pinyin is null and id > ${last}
          order by id limit ${batch.rows} for no key update skip locked`.execute(work.tx);
        const ids = rows.map(({ id }) => id);
        last = ids.at(-1) ?? last;
        const keys = rows.map(({ name }) => pinyinKeys(name));
        if (rows.length > 0)
          await sql`update ${sql.table(table)} t set pinyin = f.pinyin
            from unnest(${ids}::bigint[], ${keys}::text[]) f (id, pinyin)
            where t.id = f.id`.execute(work.tx);
        return rows.length;
      });
      if (filled < batch.rows) break;
    }
  }
};
