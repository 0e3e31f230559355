import type { Reason } from '@waystation/contract/base/envelope.ts';
import { volumeOf, volumetricWeight } from '@waystation/contract/base/weight.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import { safeSum } from '#domain/carriers/carriers.ts';
import type { CarrierFee } from '#domain/carriers/carriers.ts';
import { priceExpress, templateOf } from '#domain/offers/offers.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { feeCodesIn, readSettings } from '#platform/settings.ts';
import { unbilled } from './billed.ts';
import { chargeDoubts } from './charge-limits.ts';
import type { ChargeLimits } from './charge-limits.ts';
import { newException } from './exceptions.ts';
import { applyFacts, canonical, changed } from './facts.ts';
import type { FactSource } from './facts.ts';
import type { Facts } from './facts-type.ts';
import { refold } from './messages.ts';
import { announce } from './moves.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/**
 * A carrier's answer about weight and fees: the facts that can be read, the fees with their
 * services, and the parts that cannot be read.
 */
export interface ChargeReport {
  facts: Facts;
  fees: readonly CarrierFee[];
  unreadable: readonly string[];
}

/** A report that waits for an administrator's decision, as its fact stores it. */
export interface HeldCharge extends ChargeReport {
  doubts: readonly Reason[];
  at: Date;
}

/**
 * The largest number of held reports that one parcel stores, in case a carrier answers differently
 * each time.
 */
const mostHeld = 20;

const alertKey = (express_id: number): string => `charge_doubtful:${express_id}`;

/**
 * The held report that waits for an administrator's decision or was disputed; null if there is
 * none.
 */
export const heldChargeOf = async (
  work: Work,
  { id, held_no }: Pick<ExpressRow, 'id' | 'held_no'>,
): Promise<HeldCharge | null> => {
  if (held_no === null) return null;
  const { rows } = await sql<
    RowOf<'express_facts', 'at'> & { facts: Facts & { held: Omit<HeldCharge, 'facts' | 'at'> } }
  >`select facts, at from express_facts where express_id = ${id}
    and no = ${held_no}`.execute(work.tx);
  const { held, ...facts } = firstOf(rows).facts;
  return { ...held, facts, at: firstOf(rows).at };
};

/**
 * Merges a new report into a held report. If the new report has no answer about weight or fees, the
 * value of the held report stays.
 */
const merged = (held: HeldCharge, report: ChargeReport): ChargeReport => {
  const answersFees = report.facts.jd_amount !== undefined || report.unreadable.length > 0;
  return {
    facts: { ...held.facts, ...report.facts },
    fees: answersFees ? report.fees : held.fees,
    unreadable: answersFees ? report.unreadable : held.unreadable,
  };
};

const isSame = (a: ChargeReport, b: ChargeReport): boolean =>
  JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
const comparable = ({ facts, unreadable }: ChargeReport): unknown[] => [
  facts.jd_weight ?? null,
  facts.jd_volume ?? null,
  facts.jd_cal_weight ?? null,
  facts.jd_amount ?? null,
  facts.surcharges ? canonical(facts.surcharges) : null,
  unreadable,
];

const limitsIn = async (work: Work): Promise<ChargeLimits> => {
  const { known_fee_codes, ...limits } = await readSettings(work);
  return { ...limits, known_codes: feeCodesIn(known_fee_codes) };
};

/** The new value if it is higher than before, else null. */
const rise = (now: number | undefined, before: number | null): number | null =>
  now !== undefined && now > (before ?? 0) ? now : null;

const sumOf = (surcharges: ExpressRow['surcharges']): number =>
  Object.values(surcharges).reduce((sum, { amount }) => safeSum(sum, amount), 0);

/**
 * Returns the reasons why a report must be held. Considers only the values that the report changes.
 */
const doubtsOf = async (
  work: Work,
  express: ExpressRow,
  report: ChargeReport,
): Promise<Reason[]> => {
  if (express.terms === null) return [];
  const fresh = changed(express, await unbilled(work, express, report.facts));
  if (Object.keys(fresh).length === 0 && report.unreadable.length === 0) return [];
  const template = await templateOf(work, express.terms);
  const ownFigures = { ...express, jd_weight: null, jd_volume: null, surcharges: {} };
  const now = express.pre_amount - express.surcharge_amount;
  const own = priceExpress(ownFigures, template, express.terms).price;
  const { jd_weight = express.jd_weight, jd_volume = express.jd_volume } = fresh;
  const after =
    priceExpress({ ...ownFigures, jd_weight, jd_volume }, template, express.terms).price
      ?.pre_amount ?? now;
  const surcharge_amount = fresh.surcharges ? sumOf(fresh.surcharges) : express.surcharge_amount;
  const cost = rise(fresh.jd_amount, express.jd_amount);
  const divisor = template.divisor ?? usualDivisor;
  const volume = rise(fresh.jd_volume, express.jd_volume);
  return chargeDoubts(
    {
      declared: {
        weight: express.re_weight ?? express.weight,
        volumetric: volumetricWeight(volumeOf(express), divisor),
      },
      estimate_amount: own?.pre_amount ?? now,
      insured: Math.max(express.guarantee_value_amount, express.terms.guarantee) > 0,
      jd_weight: rise(fresh.jd_weight, express.jd_weight),
      volumetric: volume === null ? null : volumetricWeight(volume, divisor),
      // The billed weight has not risen if it equals the measured weight that is already accepted.
      jd_cal_weight:
        fresh.jd_cal_weight === express.jd_weight
          ? null
          : rise(fresh.jd_cal_weight, express.jd_cal_weight),
      price_amount: after > now ? after : null,
      surcharge_amount: surcharge_amount > express.surcharge_amount ? surcharge_amount : null,
      cost: cost === null ? null : { amount: cost, price_amount: after + surcharge_amount },
      fees: report.fees.filter(({ code, kind, amount }) =>
        kind === 'surcharge'
          ? fresh.surcharges !== undefined && amount > (express.surcharges[code]?.amount ?? 0)
          : cost !== null && amount > 0,
      ),
      unreadable: report.unreadable,
    },
    await limitsIn(work),
  );
};

/** cm³ that count as a kilogram if the template sets no divisor. */
const usualDivisor = 6_000;

/**
 * Applies a carrier's report about a locked parcel; needs the system scope. A report within the
 * limits posts like other facts, and ends an earlier held report. A report beyond the limits posts
 * nothing: it is stored as a fact, and the parcel is an exception until an administrator decides
 * (requirements §10.14.8). A repeat of the held report changes nothing.
 */
export const takeReport = async (
  work: Work,
  express: ExpressRow,
  report: ChargeReport,
  from: FactSource,
): Promise<ExpressRow> => {
  const held = await heldChargeOf(work, express);
  const whole = held ? merged(held, report) : report;
  const isRepeat = held !== null && isSame(held, whole);
  if (isRepeat && express.held_status === 'disputed') return express;
  // Meanwhile an administrator may have raised a limit, or added a fee's code to the known codes.
  const doubts = await doubtsOf(work, express, whole);
  if (doubts.length === 0)
    return closeHeld(work, await applyFacts(work, express, whole.facts, from), from.at);
  if (isRepeat) return express;
  return holdReport(work, express, { ...whole, doubts, at: from.at });
};

const holdReport = async (
  work: Work,
  express: ExpressRow,
  { facts, at, ...held }: HeldCharge,
): Promise<ExpressRow> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from express_facts
    where express_id = ${express.id} and source = 'held'`.execute(work.tx);
  if (firstOf(rows).n >= mostHeld) return express;
  const no = await appendFact(work, express, {
    source: 'held',
    facts: { ...facts, held },
    account_id: null,
    at,
  });
  const updated = await updateExpress(work, express.id, {
    fact_no: no,
    held_no: no,
    held_status: 'open',
    ...newException('charge', at),
  });
  await raiseAlert(work, {
    code: 'charge_doubtful',
    params: { order_id: express.order_id, delivery_id: express.delivery_id ?? '' },
    express_id: express.id,
    station_id: express.station_id,
    key: alertKey(express.id),
  });
  await announce(work, express.id);
  return updated;
};

type FactRow = Pick<RowOf<'express_facts'>, 'source' | 'account_id' | 'at'> & {
  facts: unknown;
  reason?: string;
};

/** Stores a fact that changes no price, and returns its number. */
export const appendFact = async (
  work: Work,
  express: ExpressRow,
  { facts, ...fact }: FactRow,
): Promise<number> => {
  const no = express.fact_no + 1;
  await work.tx
    .insertInto('express_facts')
    .values({
      express_id: express.id,
      no,
      station_id: express.station_id,
      facts: jsonText(facts),
      price: null,
      ...fact,
    })
    .execute();
  return no;
};

/**
 * Ends the exception of a held report. The carrier's messages then decide whether the parcel is an
 * exception.
 */
export const endException = async (
  work: Work,
  express: ExpressRow,
  changes: Partial<ExpressRow>,
  at: Date,
): Promise<ExpressRow> => {
  const updated = await updateExpress(work, express.id, {
    ...changes,
    ...(express.exception === 'charge' && newException(null, null)),
  });
  await closeAlertOf(work, alertKey(express.id), at);
  const folded = await refold({ clock: { now: () => at } }, work, updated, { fresh: [] });
  await announce(work, express.id);
  return folded;
};

/** Ends a held report, because other figures of the carrier or of a bill replace it. */
export const closeHeld = async (work: Work, express: ExpressRow, at: Date): Promise<ExpressRow> =>
  express.held_no === null
    ? express
    : endException(work, express, { held_no: null, held_status: null }, at);

/** Applies the facts of a bill that an administrator accepted. They end earlier held reports. */
export const takeBillFacts = async (
  work: Work,
  express: ExpressRow,
  facts: Facts,
  from: Pick<FactSource, 'at' | 'account_id'>,
): Promise<ExpressRow> =>
  closeHeld(work, await applyFacts(work, express, facts, { ...from, source: 'bill' }), from.at);
