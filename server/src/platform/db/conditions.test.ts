import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { all, atLeast, contains, equal, filterConditions, untilDay } from './conditions.ts';
import type { Condition } from './conditions.ts';

const db = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: () => ({}) as never,
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const compiled = (conditions: Condition[]) => {
  const { sql: text, parameters } = all(conditions).compile(db);
  return [text.replaceAll(/\s+/g, ' '), ...parameters];
};

interface Filters {
  q?: string | undefined;
  status?: 0 | 1 | undefined;
  amount_from?: number | undefined;
  top?: 0 | 1 | undefined;
}
const rules = {
  q: contains('r.name'),
  status: equal,
  amount_from: atLeast('r.amount'),
  top: (is: 0 | 1) => (is === 1 ? sql<boolean>`r.parent_id is null` : null),
};
const conditionsOf = (filters: Filters) => compiled(filterConditions(filters, rules));

describe('the SQL conditions of filters', () => {
  it('a filter that is undefined or an empty text adds no condition to a query', () => {
    expect(conditionsOf({ q: '', status: undefined })).toEqual(['true']);
  });

  it('a filter with the value 0 adds a condition to the query', () => {
    expect(conditionsOf({ status: 0, amount_from: 0 })).toEqual([
      '"r"."status" = $1 and "r"."amount" >= $2',
      0,
      0,
    ]);
  });

  it('the conditions of several filters are joined with “and”, in the order of the filter rules', () => {
    expect(conditionsOf({ top: 1, q: 'Nan' })).toEqual([
      '(strpos(lower("r"."name"), lower($1)) > 0) and r.parent_id is null',
      'Nan',
    ]);
  });

  it('if the rule of a filter returns no condition for its value, the filter adds none to the query', () => {
    expect(conditionsOf({ top: 0 })).toEqual(['true']);
  });

  it('a filter “until” a day includes all of that day', () => {
    expect(compiled([untilDay(sql.ref('r.at'))('2026-03-02')])).toEqual([
      `"r"."at" < (($1::date + $2::int)::timestamp at time zone 'Asia/Shanghai')`,
      '2026-03-02',
      1,
    ]);
  });
});
