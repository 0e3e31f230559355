import { stateCode } from '@waystation/contract/express-states.ts';
import { businessTime } from '#platform/clock.ts';
import { whyFields } from './moves.ts';
import type { ExpressRow } from './row.ts';

type Waiting = Pick<ExpressRow, 'state_code' | 'state_reason' | 'state_remark'> & { carrier_down_since: Date | null };

/** Why a parcel in 20 waits while its carrier account is down: calculated on reading and never stored, so that it begins and ends with the outage. */
export const waitingReason = (row: Waiting): Partial<Pick<ExpressRow, 'state_remark' | 'state_reason'>> =>
  row.state_code === stateCode.ordering && row.state_reason === null && row.carrier_down_since !== null
    ? whyFields({ reason: { code: 'carrier_down', params: { time: businessTime(row.carrier_down_since) } } })
    : {};
