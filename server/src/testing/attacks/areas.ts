import type { AttackArea } from './attack.ts';
import { doorAttacks } from './doors.ts';
import { loginAttacks } from './login.ts';
import { searchAttacks } from './searches.ts';
import { shareAttacks } from './shares.ts';

/** Every attack of the audit, by area: `npm run attack` plays them all (docs/testing.md). */
export const areas: readonly AttackArea[] = [
  { area: 'shares', attacks: shareAttacks },
  { area: 'login', attacks: loginAttacks },
  { area: 'doors', attacks: doorAttacks },
  { area: 'searches', attacks: searchAttacks },
];
