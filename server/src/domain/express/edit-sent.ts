import { pickupRules } from '@waystation/contract/network/provider.ts';
import type { CarrierPart } from '@waystation/contract/network/provider.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { Carrier } from '#domain/carriers/carriers.ts';
import { changeHold, lockStations } from '#domain/ledger/ledger.ts';
import { jsonText } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { applyEdit } from './facts.ts';
import { shortfall } from './holding.ts';
import { checkedParcel, editedFields, isSameField } from './parcel.ts';
import type { ParcelFields } from './parcel.ts';
import { windowProblem } from './pickup-window.ts';
import { priceExpress, priceFields, templateOf, versionThen } from '#domain/offers/offers.ts';
import { queueModify } from './queues.ts';
import { ledgerPrice, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { carrierOrder } from './send.ts';
import { pickupNames } from './modify.ts';

/** The fields of each part that a carrier declares as changeable (requirements §4). */
const fieldsOfParts: Readonly<Record<CarrierPart, readonly (keyof ParcelFields)[]>> = {
  receiver: [
    'receive_id',
    'receive_name',
    'receive_phone',
    'receive_province',
    'receive_city',
    'receive_county',
    'receive_address',
  ],
  product: ['promise_id'],
  insured_value: ['guarantee_value_amount'],
  package_count: ['package_count'],
  remark: ['remark'],
  description: ['description'],
  pickup: pickupNames,
};

/**
 * Fields that can change with any carrier, because the carrier weighs and measures the parcel
 * itself.
 */
const measures = ['weight', 'length', 'width', 'height'] as const;

/** Fields that may change while a parcel awaits pickup. */
const changeableOf = ({ provider }: ExpressRow): readonly (keyof ParcelFields)[] => [
  ...(pickupRules(provider).changes ?? []).flatMap((part) => fieldsOfParts[part]),
  ...measures,
];

export interface Edit {
  input: Partial<ParcelFields>;
  /** 1 if the station's clerks may choose another delivery time than the cheapest. */
  allow_select: 0 | 1;
  by: number;
}

/**
 * The result of an edit of a parcel in state 100. `edit_id` is null if the edit was applied
 * immediately, without a call to the carrier. Otherwise the edit waits for the carrier's answer.
 */
export type EditOutcome = { edit_id: number | null; changed: Partial<ParcelFields> };

/** Fails with every field that cannot change any more at this carrier. */
const refuseFixed = (express: ExpressRow, input: Partial<ParcelFields>): void => {
  const changeable = new Set<string>(changeableOf(express));
  const fixed = Object.entries(input).filter(
    ([name, value]) => !changeable.has(name) && !isSameField(value, express[name as 'goods']),
  );
  if (fixed.length > 0)
    failFields(
      Object.fromEntries(fixed.map(([name]) => [name, { code: 'carrier_cannot_modify' }])),
    );
};

const changesOf = async (
  work: Work,
  express: ExpressRow,
  input: Partial<ParcelFields>,
): Promise<Partial<ParcelFields>> => {
  const whole = await checkedParcel(work, editedFields(express, input), express.goods);
  const differing = changeableOf(express).filter(
    (name) => !isSameField(whole[name], express[name]),
  );
  // If one end of the pickup window changes, both ends count as changed.
  const isWindow = pickupNames.some((name) => differing.includes(name));
  const changed = new Set([...differing, ...(isWindow ? pickupNames : [])]);
  return Object.fromEntries([...changed].map((name) => [name, whole[name]]));
};

/** Fails if the new window breaks a rule that is known without asking the carrier. */
const refuseWindow = (
  carrier: Carrier,
  { pickup_from = null, pickup_until = null }: Partial<ParcelFields>,
  at: Date,
): void => {
  const problem = windowProblem(carrier, { pickup_from, pickup_until }, at);
  if (problem !== null) failFields({ pickup_from: problem });
};

interface NewTerms {
  terms: Terms;
  voucher_id: number;
  voucher_no: number;
}

/**
 * The terms stored with the parcel. For another delivery time, they contain the freight template
 * that was published when the parcel was ordered.
 */
const termsFor = async (
  work: Work,
  express: ExpressRow,
  promise_id: string | undefined,
  allow_select: 0 | 1,
): Promise<NewTerms> => {
  const terms = present(express.terms);
  if (promise_id === undefined)
    return { terms, voucher_id: express.voucher_id!, voucher_no: express.voucher_no! };
  if (allow_select === 0)
    failFields({
      promise_id: {
        code: 'cheapest_only',
        params: { promise_id: express.promise_id, post_amount: express.post_amount },
      },
    });
  const version = await versionThen(work, express, promise_id);
  if (!version)
    return failFields({ promise_id: { code: 'promise_not_offered', params: { promise_id } } });
  const { voucher_id, voucher_no, ...voucher } = version;
  return {
    voucher_id,
    voucher_no,
    terms: { ...terms, voucher: { id: voucher_id, version: voucher_no, ...voucher } },
  };
};

const fieldOfError: Record<string, string> = {
  over_weight: 'weight',
  above_top_tier: 'guarantee_value_amount',
  no_tiers: 'guarantee_value_amount',
  no_origin: 'sender_province',
};

const priceOrFail = async (work: Work, express: ExpressRow, terms: Terms): Promise<Price> => {
  const priced = priceExpress(express, await templateOf(work, terms), terms);
  return (
    priced.price ??
    failFields({ [fieldOfError[priced.error.code] ?? 'receive_province']: priced.error })
  );
};

/**
 * Changes a locked parcel in state 100; needs the system scope. A change that the carrier need not
 * know is applied immediately, and the hold is adjusted. Any other change is sent to the carrier. A
 * higher price is held before the call, and the parcel changes after the carrier has accepted the
 * change. Fails with all invalid fields, or with the missing amount.
 */
export const editSent = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { input, allow_select, by }: Edit,
): Promise<EditOutcome> => {
  if (express.modifying) fail('edit_pending');
  if (express.cancel_requested_at || express.intercepting)
    fail('state_forbids', { state: express.state_txt });
  refuseFixed(express, input);
  const changed = await changesOf(work, express, input);
  if (Object.keys(changed).length === 0) return { edit_id: null, changed };
  const after = { ...express, ...changed };
  const { terms, voucher_id, voucher_no } = await termsFor(
    work,
    express,
    changed.promise_id,
    allow_select,
  );
  const price = await priceOrFail(work, after, terms);
  const at = context.clock.now();
  const rise = price.post_amount - express.post_amount;
  // If a parcel was weighed before its pickup was reported, it is already charged. The wallet must
  // then cover the higher price.
  if (express.charged_at !== null && rise > 0) await requireBalance(work, express, rise);
  const { carrier, account } = await openAccountInTx(context, work, present(express.merchant_id));
  refuseWindow(carrier, changed, at);
  const request = carrier.modifyBody(
    account,
    { delivery_id: present(express.delivery_id) },
    carrierOrder(express),
    carrierOrder({ ...after, terms }),
  );
  if (request === null) {
    await applyEdit(
      work,
      express,
      { changed, terms, voucher_id, voucher_no },
      { at, account_id: by, mustFit: true },
    );
    return { edit_id: null, changed };
  }
  const row = await work.tx
    .insertInto('express_edits')
    .values({
      express_id: express.id,
      station_id: express.station_id,
      account_id: by,
      request,
      changes: jsonText(changed),
      terms: jsonText(terms),
      voucher_id,
      voucher_no,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const edit_id = row.id;
  if (rise > 0 && express.charged_at === null)
    await raiseHold(work, express, { price, terms, edit_id, at, by });
  await updateExpress(work, express.id, { modifying: 1 });
  await queueModify(work, { edit_id });
  return { edit_id, changed };
};

/**
 * Fails if the station's balance does not cover a higher price. First locks every station that may
 * receive a share, in the ledger's order, because the difference may be posted in this transaction.
 */
const requireBalance = async (work: Work, express: ExpressRow, rise: number): Promise<void> => {
  await lockStations(work, [
    express.station_id,
    ...present(express.terms).links.map(({ parent_id }) => parent_id),
  ]);
  const missing_amount = await shortfall(work, express.station_id, rise);
  if (missing_amount > 0) fail('balance_too_low', { missing_amount });
};

/** The new price of an edit, and the user who made the edit. */
interface Raise {
  price: Price;
  terms: Terms;
  edit_id: number;
  at: Date;
  by: number;
}

const raiseHold = async (
  work: Work,
  express: ExpressRow,
  { price, terms, edit_id, at, by }: Raise,
): Promise<void> => {
  const raised = { ...express, ...priceFields(price, terms) };
  const held = await changeHold(work, {
    express_id: express.id,
    attempt: express.attempt,
    price: ledgerPrice(raised),
    cause: `edit:${edit_id}:raise`,
    at,
    by,
  });
  if (!held.ok) fail('balance_too_low', { missing_amount: held.missing_amount });
};
