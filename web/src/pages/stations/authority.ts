import type { Station } from '@waystation/contract/station.ts';
import { useUser } from '#shell/session/session.ts';

/** How this user stands to a station of the list: the office to any, a partner to those below its own, everybody to the own one. */
export type Authority = 'office' | 'above' | 'own';

export interface Authorities {
  of: (row: Pick<Station, 'id'>) => Authority;
  /** Super or admin. */
  office: boolean;
  /** Makes stations, moves and switches them: the office, and a partner. */
  builds: boolean;
  /** May move, enable and disable this one. */
  steers: (row: Pick<Station, 'id'>) => boolean;
}

export const authoritiesOf = ({ role, station_id }: { role: string; station_id: number | null }): Authorities => {
  const office = role === 'super' || role === 'admin';
  const of: Authorities['of'] = ({ id }) => (office ? 'office' : role === 'partner' && id !== station_id ? 'above' : 'own');
  return { of, office, builds: office || role === 'partner', steers: (row) => of(row) !== 'own' };
};

export const useAuthorities = (): Authorities => authoritiesOf(useUser());
