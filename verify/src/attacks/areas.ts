import { approvalAttacks } from './approvals.ts';
import type { AttackArea } from './attack.ts';
import { carrierAttacks } from './carrier.ts';
import { ceilingAttacks, streamAttacks, streamConfig } from './ceilings.ts';
import { doorAttacks } from './doors.ts';
import { evidenceAttacks } from './evidence.ts';
import { fileAttacks } from './files.ts';
import { loginAttacks } from './login.ts';
import { moneyAttacks } from './money.ts';
import { pushAttacks } from './pushes.ts';
import { searchAttacks } from './searches.ts';
import { shareAttacks } from './shares.ts';
import { sheetAttacks } from './sheets.ts';
import { phoneAttacks, slowSearchAttacks } from './slow-searches.ts';
import { workbookAttacks } from './workbooks.ts';

/** All attacks, grouped by area. `npm run attack` runs all of them (docs/testing.md). */
export const areas: readonly AttackArea[] = [
  { area: 'searches', attacks: [...searchAttacks, ...slowSearchAttacks] },
  { area: 'workbooks', attacks: workbookAttacks },
  { area: 'money', attacks: moneyAttacks },
  { area: 'approvals', attacks: approvalAttacks },
  { area: 'shares', attacks: shareAttacks },
  { area: 'phones', attacks: phoneAttacks },
  { area: 'login', attacks: loginAttacks },
  { area: 'doors', attacks: doorAttacks },
  { area: 'ceilings', attacks: ceilingAttacks },
  { area: 'streams', config: streamConfig, attacks: streamAttacks },
  { area: 'pushes', attacks: pushAttacks },
  { area: 'sheets', attacks: sheetAttacks },
  { area: 'files', attacks: fileAttacks },
  { area: 'carrier', attacks: carrierAttacks },
  { area: 'evidence', attacks: evidenceAttacks },
];
