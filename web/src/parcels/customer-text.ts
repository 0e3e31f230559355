import { expressStates } from '@waystation/contract/parcels/express-states.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { numberOf } from './parcel-rules.ts';

/**
 * One line of text about a parcel, to paste into a chat with the customer: the waybill number and
 * the state. It contains no phone, name or amount, because other people may read the chat.
 */
export const customerText = (
  row: Pick<ExpressRow, 'delivery_id' | 'order_id' | 'state_code'>,
  language: Language,
): string => `${numberOf(row)} ${wordOf(expressStates, row.state_code, language)}`;
