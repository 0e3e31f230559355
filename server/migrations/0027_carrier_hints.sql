-- Precondition: 0004.
-- A push is a hint: what it implies is confirmed by the carrier's own trace before it is folded. Two waybills for one order wait for the office.

alter table expresses
  -- The first call of any attempt that named this order to the carrier; no message about it can be older.
  add column first_sent_at timestamptz,
  -- The state that an unconfirmed push stands for; null: nothing is being confirmed.
  add column confirming smallint,
  -- Questions in a row that confirmed nothing, and when the last one was asked: the next one waits accordingly.
  add column confirm_tries integer not null default 0,
  add column confirm_asked_at timestamptz,
  -- Every waybill that was named for this order, and by what: [{"delivery_id", "source", "rejected"?}].
  add column waybill_claims jsonb not null default '[]';

-- One row a parcel and effect: the first push that implied it and was not confirmed yet.
create table carrier_hints (
  express_id bigint not null references expresses (id),
  effect text not null,
  our_state smallint not null,
  hash bytea not null,
  operation_time timestamptz not null,
  received_at timestamptz not null,
  primary key (express_id, effect)
);
create index carrier_hints_age on carrier_hints (received_at);

-- When the next question about a hint may go out on an account, so that many hints keep to its rate.
create table carrier_pace (
  merchant_id bigint primary key references merchants (id),
  next_at timestamptz not null
);

-- Why a message is kept without being folded: '' it is folded, 'early', 'future' or 'waybill'. The same message may be admissible later.
alter table express_messages add column refused text not null default '' check (refused in ('', 'early', 'future', 'waybill'));
alter table express_messages drop constraint express_messages_express_id_hash_key;
create unique index express_messages_once on express_messages (express_id, hash, refused);
