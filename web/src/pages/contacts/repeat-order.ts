import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { normalisePhone } from '@waystation/contract/parcels/phone.ts';
import { call } from '#base/call.ts';
import { say } from '#base/texts.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { notify } from '#ui/overlay/notify.tsx';

/**
 * The maximum number of parcels that one search returns. It is more than one, because in some found
 * parcels the phone may be the sender's.
 */
const mostRead = 20;

/**
 * True if the last order to this contact can be repeated. The contact must be a recipient, and the
 * user must be permitted to see the phone.
 */
export const isRepeatable = ({ kind, phones_shown }: Contact): boolean =>
  kind === 'receive' && phones_shown === 1;

/** The states of a parcel whose order did not succeed or was cancelled. */
const unsent: ReadonlySet<number> = new Set([
  stateCode.draft,
  stateCode.failed,
  stateCode.cancelled,
]);

/**
 * Opens the order form with the goods of the last order to this contact and the contact's present
 * address. The order is found in the list with the user's rights. So a clerk can repeat only
 * parcels that this clerk created.
 */
export const repeatOrder = async (contact: Contact): Promise<void> => {
  const { name, phone, station_id } = contact;
  try {
    const { items } = await call(listExpresses, {
      station_id,
      q: phone,
      page_size: mostRead,
      fields: 'id',
    });
    const last = items.find(
      (row) =>
        normalisePhone(row.receive_phone) === normalisePhone(phone) &&
        row.receive_name === name &&
        !unsent.has(row.state_code),
    );
    if (last) openScreen('ExpressStore', { copy: last.id, to: contact.id });
    else notify.warning(say('contacts.nothing_to_repeat', { name }));
  } catch (error) {
    notify.failure(error);
  }
};
