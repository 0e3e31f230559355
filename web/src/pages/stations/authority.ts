import type { Station } from '@waystation/contract/network/station.ts';
import { useUser } from '#shell/session/session.ts';

/**
 * The kind of authority that a user has over a station of the list. `office`: an administrator,
 * over any station. `above`: a partner, over the stations below the partner's own. `own`: any user,
 * over the user's own station.
 */
export type Authority = 'office' | 'above' | 'own';

export interface Authorities {
  of: (row: Pick<Station, 'id'>) => Authority;
  /** True for super admins and admins. */
  office: boolean;
  /** True if the user may create, move and disable stations: administrators and partners. */
  builds: boolean;
  /** True if the user may move, enable and disable this station. */
  steers: (row: Pick<Station, 'id'>) => boolean;
}

export const authoritiesOf = ({
  role,
  station_id,
}: {
  role: string;
  station_id: number | null;
}): Authorities => {
  const office = role === 'super' || role === 'admin';
  const of: Authorities['of'] = ({ id }) =>
    office ? 'office' : role === 'partner' && id !== station_id ? 'above' : 'own';
  return { of, office, builds: office || role === 'partner', steers: (row) => of(row) !== 'own' };
};

export const useAuthorities = (): Authorities => authoritiesOf(useUser());
