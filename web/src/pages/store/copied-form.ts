import { erasedName } from '@waystation/contract/parcels/erased.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { windowOfParcel } from '#parcels/pickup-window.ts';
import type { OrderForm, Party } from '#parcels/orders/form.ts';

/**
 * A form with the content of an existing parcel. With `same`, the form edits this parcel. It then
 * keeps the third-party number, the pickup window and the chosen account too.
 */
export const copiedForm = (
  express: Express,
  phones: { sender_phone: string; receive_phone: string },
  same: boolean,
): OrderForm => {
  const party = (side: 'sender' | 'receive'): Party => ({
    contact_id: express[`${side}_id`],
    name: express[`${side}_name`].replace(erasedName, ''),
    phone: phones[`${side}_phone`],
    place: {
      province: express[`${side}_province`],
      city: express[`${side}_city`],
      county: express[`${side}_county`],
    },
    address: express[`${side}_address`],
  });
  const side = (value: number): string => (value > 0 ? String(value) : '');
  return {
    station_id: express.station_id,
    station_name: express.station_name,
    sender: party('sender'),
    receiver: party('receive'),
    goods: express.goods,
    trans_type: String(express.trans_type),
    weight: express.weight > 0 ? kgText(express.weight) : '',
    package_count: String(express.package_count),
    length: side(express.length),
    width: side(express.width),
    height: side(express.height),
    insured: express.guarantee_value_amount > 0 ? yuanText(express.guarantee_value_amount) : '',
    promise_id: express.promise_id,
    provider: express.promise_id === '' ? '' : express.provider,
    next_choice: '',
    remark: express.remark,
    description: express.description,
    thr_order_id: same ? express.thr_order_id : '',
    // A copied order does not get the pickup window of the original parcel.
    pickup: same ? windowOfParcel(express) : '',
    // Keeps the account only if a user chose it for the parcel. The account that was used may be
    // the station's default.
    customer_code: same ? (express.chosen_code ?? '') : '',
  };
};
