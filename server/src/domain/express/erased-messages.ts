import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import type { ExpressRow } from './row.ts';

/**
 * A carrier's messages without their texts, for a parcel whose person was erased. A late message
 * still moves the parcel, but restores no personal data.
 */
export const withoutErased = (
  { erased }: Pick<ExpressRow, 'erased'>,
  messages: readonly CarrierMessage[],
): readonly CarrierMessage[] =>
  erased === 0
    ? messages
    : messages.map((message) => ({
        ...message,
        title: '',
        remark: '',
        operator_name: '',
        place: '',
        cancel_reason: '',
        raw: {},
      }));
