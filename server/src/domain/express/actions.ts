import { stateAllows, stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { handled } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { editSent } from './edit-sent.ts';
import { storeDraft, placeOrder, reprice, repriceAndSubmit, resubmit } from './order.ts';
import {
  checkEntered,
  checkedParcel,
  editedFields,
  enteredFields,
  fieldsOf,
  isSameField,
} from './parcel.ts';
import type { ParcelFields, ParcelInput } from './parcel.ts';
import { choiceOfRule, wasChosenByRule } from './rule-choice.ts';
import { chosenAccount, lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { activeStationFor } from '#domain/offers/offers.ts';
import type { StationRule, StationTerms } from '#domain/offers/offers.ts';

/** Old and new value by field. */
type Changed = Record<string, readonly [unknown, unknown]>;

/**
 * A parcel's input with the carrier account that an administrator may choose for it; empty for the
 * station's account.
 */
type OrderInput = ParcelInput & { customer_code?: string | undefined };

/** True if the actor's role may choose a carrier account, and see the chosen account. */
const mayChoose = ({ role }: Actor): boolean => role === 'super' || role === 'admin';

/**
 * Fails if an actor who may not choose an account sends an account. This includes the chosen
 * account, because only administrators may know it.
 */
const requireChooser = (actor: Actor, customer_code: string | undefined): void => {
  if (customer_code !== undefined && !mayChoose(actor))
    failFields({ customer_code: { code: 'field_not_yours' } });
};

/**
 * The station's terms with the carrier account that the actor chose. Fails if the actor may not
 * choose the account.
 */
const withAccount = (
  station: StationTerms,
  actor: Actor,
  customer_code: string | undefined,
): StationTerms => {
  requireChooser(actor, customer_code);
  return customer_code ? { ...station, chosen_code: customer_code, knows_chosen: true } : station;
};

/**
 * Returns the station's terms with the carrier account of a stored parcel. The account stays chosen
 * even if another actor orders the parcel.
 */
const withOwnAccount = (station: StationTerms, actor: Actor, express: ExpressRow): StationTerms => {
  const chosen_code = chosenAccount(express);
  return chosen_code === '' ? station : { ...station, chosen_code, knows_chosen: mayChoose(actor) };
};

const changedFields = (express: ExpressRow, fields: object): Changed =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      [express[name as 'goods'], value] as const,
    ]),
  );

type NewParcel = OrderInput & {
  draft?: 0 | 1 | undefined;
  station_id?: number | undefined;
  expected_amount?: number | undefined;
  /** 1 if no user chose the product, so that the station's rule chose it. */
  by_rule?: 1 | undefined;
};

/** The results of the queries that check a new order, which are sent together. */
export interface AskedParcel {
  station: Promise<StationTerms & StationRule>;
  /** Null for a draft, which is not checked. */
  fields: Promise<ParcelFields> | null;
}

/** Sends the queries that check a new parcel. If one fails, `createParcel` throws its error. */
export const askParcel = (work: ReaderWork, input: NewParcel): AskedParcel => ({
  station: handled(activeStationFor(work, work.actor, input.station_id)),
  fields: input.draft === 1 ? null : handled(checkedParcel(work, input)),
});

/**
 * Stores a draft without a check. Any other parcel is checked as a whole and ordered; all its
 * invalid fields are reported together.
 */
export const createParcel = async (
  context: CarrierContext,
  work: ReaderWork,
  input: NewParcel,
  {
    asked = askParcel(work, input),
    lock_station = 'early',
  }: { asked?: AskedParcel; lock_station?: 'early' | 'late' } = {},
): Promise<ExpressRow> => {
  if (asked.fields === null) {
    const station = withAccount(await asked.station, work.actor, input.customer_code);
    await checkEntered(work, station.id, input);
    return storeDraft(context, work, {
      station,
      user_id: work.actor.account_id,
      fields: enteredFields(input),
    });
  }
  const [found, fields] = await Promise.all([asked.station, asked.fields]);
  const station = withAccount(found, work.actor, input.customer_code);
  await checkEntered(work, station.id, input);
  return placeOrder(context, work, {
    station,
    user_id: work.actor.account_id,
    fields,
    expected_amount: input.expected_amount,
    lock_station,
    ...(input.by_rule === 1 && {
      choiceOf: choiceOfRule({ ...found, ...station }, fields, context.clock.now()),
    }),
  });
};

/**
 * Orders a draft, releases a parcel on hold before others, or resubmits a refused parcel, depending
 * on its state. The state must allow `action`. If no user chose the product, the parcel stores why
 * the station's rule chooses it now.
 */
export const submitParcel = async (
  context: CarrierContext,
  work: ReaderWork,
  { id, action, by_rule }: { id: number; action: 'order' | 'retry'; by_rule?: 1 | undefined },
): Promise<ExpressRow> => {
  const express = await lockExpress(work, id);
  if (!stateAllows(express.state_code, action)) fail('state_forbids', { state: express.state_txt });
  if (express.erased > 0) fail('parcel_erased');
  const found = await activeStationFor(work, work.actor, express.station_id);
  const station = withOwnAccount(found, work.actor, express);
  const fields =
    express.state_code === stateCode.onHold
      ? fieldsOf(express)
      : await checkedParcel(work, fieldsOf(express));
  const isByRule = by_rule === 1 || (await wasChosenByRule(work, express));
  await resubmit(context, work, express, {
    station,
    fields,
    by: work.actor.account_id,
    ...(isByRule && {
      choiceOf: choiceOfRule({ ...found, ...station }, fields, context.clock.now()),
    }),
  });
  return express;
};

interface Edit {
  id: number;
  version: number;
  input: OrderInput;
}

/**
 * Edits a parcel that awaits pickup. If the carrier need not know the change, it is applied
 * immediately and `edit_id` is null. Otherwise it is applied when the carrier has accepted it.
 * Returns null if the parcel's version has changed.
 */
export const editSentParcel = async (
  context: CarrierContext,
  work: ReaderWork,
  { id, version, input }: Edit,
): Promise<{ express: ExpressRow; changed: Changed; edit_id: number | null } | null> => {
  const express = await lockExpress(work, id);
  if (express.state_code !== stateCode.awaitingPickup)
    fail('state_forbids', { state: express.state_txt });
  if (express.version !== version) return null;
  requireChooser(work.actor, input.customer_code);
  // The carrier has the parcel under the account with which it was ordered, so this account can no
  // longer change.
  if (input.customer_code !== undefined && input.customer_code !== chosenAccount(express))
    fail('state_forbids', { state: express.state_txt });
  const changes = enteredFields(input);
  await checkEntered(work, express.station_id, changes);
  const { allow_select } = await activeStationFor(work, work.actor, express.station_id);
  const edit = await work.asSystem('price of an edit', (system) =>
    editSent(context, system, express, { input: changes, allow_select, by: work.actor.account_id }),
  );
  return { express, changed: changedFields(express, edit.changed), edit_id: edit.edit_id };
};

/**
 * Edits a parcel that the carrier does not have. A draft is stored without a check. A failed parcel
 * is checked and repriced. A parcel on hold is repriced and submitted. Returns null if the parcel's
 * version has changed.
 */
export const editUnsentParcel = async (
  context: CarrierContext,
  work: ReaderWork,
  { id, version, input }: Edit,
): Promise<{ express: ExpressRow; changed: Changed } | null> => {
  const express = await lockExpress(work, id);
  // The state is checked before the version: messages of the carrier change a parcel on its way,
  // and reloading it would not make it editable.
  if (express.state_code === stateCode.awaitingPickup || !stateAllows(express.state_code, 'edit'))
    fail('state_forbids', { state: express.state_txt });
  if (express.erased > 0) fail('parcel_erased');
  if (express.version !== version) return null;
  const changes = enteredFields(input);
  const found = await activeStationFor(work, work.actor, express.station_id);
  const station =
    input.customer_code === undefined
      ? withOwnAccount(found, work.actor, express)
      : withAccount(found, work.actor, input.customer_code);
  const stored =
    express.state_code === stateCode.draft
      ? changes
      : await checkedParcel(work, editedFields(express, changes));
  await checkEntered(work, express.station_id, changes);
  const changed = changedFields(
    express,
    Object.fromEntries(
      Object.entries(stored).filter(
        ([name, value]) => !isSameField(express[name as 'goods'], value),
      ),
    ),
  );
  const chosen_code = station.chosen_code ?? '';
  if (chosen_code !== chosenAccount(express))
    Object.assign(changed, { customer_code: [chosenAccount(express), chosen_code] });
  if (express.state_code === stateCode.draft)
    await updateExpress(work, id, { ...stored, customer_code: chosen_code });
  else {
    if (express.state_code === stateCode.onHold)
      await repriceAndSubmit(context, work, express, {
        station,
        fields: stored as ParcelFields,
        by: work.actor.account_id,
        cause: 'edit',
      });
    else
      await reprice(context, work, express, {
        station,
        fields: stored as ParcelFields,
        by: work.actor.account_id,
      });
  }
  return { express, changed };
};
