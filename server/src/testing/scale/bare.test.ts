import { describe, expect, it } from 'vitest';
import { unitsOf } from './bare.ts';
import type { Recorded } from './record.ts';

const sent = (client: number, ...texts: string[]): Recorded[] =>
  texts.map((text) => ({ client, text, values: [] }));
const textsOf = (recorded: Recorded[]): [string, string[]][] =>
  unitsOf(recorded).map(({ begin, statements }) => [begin, statements.map(({ text }) => text)]);

const whoAsks =
  'select s.id as session_id from sessions s join accounts a on a.id = s.account_id\n where s.token_hash = $1 and s.expires_at > $2';
const list = 'select e.id from expresses e limit 21';
const people =
  '(select a.id, (select count(*) from sessions where account_id = a.id) as sessions from accounts a)';

describe('replaying the SQL statements of a request', () => {
  it('if a recorded transaction begins with the query for the caller, the replay omits that query and keeps all scope settings', () => {
    const recorded = sent(
      1,
      "begin; lock table schema_sql in access share mode; set local waystation.scope = 'all'",
      whoAsks,
      "set local waystation.scope = 'stations'; set local waystation.stations = '{7}'; select pg_backend_pid() as pid",
      list,
      'commit',
    );
    expect(textsOf(recorded)).toEqual([
      [
        "begin; lock table schema_sql in access share mode; set local waystation.scope = 'all'; set local waystation.scope = 'stations'; set local waystation.stations = '{7}'",
        [list],
      ],
    ]);
  });

  it('if a transaction contains only the query for the caller, the replay of a request omits it; a query that counts sessions is kept', () => {
    const recorded = sent(
      1,
      'begin; a',
      whoAsks,
      'commit',
      'begin; b',
      `select * from ${people} r`,
      'update accounts set last_seen_at = $1',
      'commit',
    );
    expect(textsOf(recorded)).toEqual([['begin; b', [`select * from ${people} r`]]]);
  });

  it('the replay of a request separates the statements of two simultaneous database connections', () => {
    const [one, other] = [
      sent(1, 'begin; a', 'select 1', 'select 3'),
      sent(2, 'begin; b', 'select 2'),
    ];
    expect(textsOf([one[0]!, other[0]!, one[1]!, other[1]!, one[2]!])).toEqual([
      ['begin; a', ['select 1', 'select 3']],
      ['begin; b', ['select 2']],
    ]);
  });
});
