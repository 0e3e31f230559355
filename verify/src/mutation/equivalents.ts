/**
 * The mutants that change no observable behaviour, by name, with the reason. A person examined each
 * of them.
 */
export const equivalents: ReadonlyMap<string, string> = new Map([
  [
    'src/domain/pricing/billed-weight.ts: if (divisor !== null) { ⇒ if (true) {',
    'Without a divisor the volumetric weight is no number, and that is never more than the scale’s.',
  ],
  [
    'src/domain/pricing/choice.ts: const option = options.find(({ promise_id }) => promise_id === wanted); ⇒ const option = options.findLast(({ promise_id }) => promise_id === wanted);',
    'A promise is offered once.',
  ],
  [
    "src/domain/pricing/insurance.ts: return top ? { reason: 'above_top_tier', value, top: top.money } : { reason: 'no_tiers', value, top: 0 }; ⇒ return top ? { reason: 'above_top_tier', value, top: top.money } : { reason: 'no_tiers', value, top: 1 };",
    'Where there are no tiers nobody is told of a highest one.',
  ],
  [
    'src/domain/pricing/surcharges.ts: for (const { code, name, amount } of [...current.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))) { ⇒ for (const { code, name, amount } of [...current.values()].toSorted((a, b) => (a.code <= b.code ? -1 : 1))) {',
    'No code occurs twice in a map, and of a comparison only the sign counts.',
  ],
  [
    'src/domain/pricing/surcharges.ts: for (const { code, name, amount } of [...current.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))) { ⇒ for (const { code, name, amount } of [...current.values()].toSorted((a, b) => (a.code < b.code ? -2 : 1))) {',
    'No code occurs twice in a map, and of a comparison only the sign counts.',
  ],
  [
    'src/domain/pricing/surcharges.ts: for (const { code, name, amount } of [...current.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))) { ⇒ for (const { code, name, amount } of [...current.values()].toSorted((a, b) => (a.code < b.code ? -1 : 2))) {',
    'No code occurs twice in a map, and of a comparison only the sign counts.',
  ],
  [
    "src/domain/pricing/template.ts: return zone ? { zone } : { zone: null, reason: 'not_served' }; ⇒ return true ? { zone } : { zone: null, reason: 'not_served' };",
    'Who asks takes every reason but a missing origin for “not served”.',
  ],
  [
    'src/domain/ledger/statements.ts: ...(filters.closed !== undefined ? [sql<boolean>`(s.period = any(${closed as string[]}::text[])) = ${filters.closed === 1}`] : []), ⇒ ...(true ? [sql<boolean>`(s.period = any(${closed as string[]}::text[])) = ${filters.closed === 1}`] : []),',
    'Without the filter the list of closed months is empty, and every line is of none of them.',
  ],
  [
    'sql/ledger-movements.sql: $$ begin return row(t, null, null, null, false, null, amount)::ledger_draft; end $$; ⇒ $$ begin return row(t, null, null, null, true, null, amount)::ledger_draft; end $$;',
    'What lacks money is answered so before anybody asks whether it moves anything.',
  ],
  [
    'src/domain/ledger/post.ts: if (code !== refusal || message === undefined || !isErrorCode(message)) return error; ⇒ if (code !== refusal && message === undefined || !isErrorCode(message)) return error;',
    'No other error of the database says one of our codes and nothing else.',
  ],
  [
    'sql/ledger-posting.sql: select * into held from ledger_holds where express_id = t.express_id and (attempt = t.attempt or t.attempt is null) order by attempt desc limit 1; ⇒ select * into held from ledger_holds where express_id = t.express_id and (attempt = t.attempt or t.attempt is null) order by attempt desc limit 2;',
    'SELECT INTO takes the first row.',
  ],
  [
    'sql/ledger-posting.sql: if t.cause = any (waiting) or ledger_reads(m) = any (waiting) or cardinality(transfers) >= 200 then ⇒ if t.cause <> any (waiting) or ledger_reads(m) = any (waiting) or cardinality(transfers) >= 200 then',
    'Stores after every movement instead of after many: what waits is never one cause alone.',
  ],
  [
    "src/domain/ledger/ledger.ts: if (posted.statement_id === null) throw new Error('a posting on a station made no statement'); ⇒ if (false) throw new Error('a posting on a station made no statement');",
    'Every movement that is asked for its line posts on a station, and so makes one.',
  ],
  [
    'src/domain/ledger/ledger.ts: if (!outcome.ok) throw new Error(`${movement.movement} ${movement.cause} lacks ${outcome.missing_amount} fen, which it never may`); ⇒ if (!outcome.ok) ;',
    'The movements that go through here are never refused for lack of money: the database answers so of holds and withdrawals alone.',
  ],
]);
