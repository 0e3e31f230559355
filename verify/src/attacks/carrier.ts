import { openGround } from '#hostile-carrier/ground.ts';
import { hostileCases } from '#hostile-carrier/play.ts';
import type { Attack } from './attack.ts';

/**
 * The acts with which a hostile carrier tries to get money or to harm the product. `npm run verify
 * -- hostile-carrier` plays all cases.
 */
const names = [
  'charges a surcharge of 99,999,999,999 yuan',
  'charges a hundred times the price',
  'charges more each time it is asked',
  'charges without end for the way back',
  'repeats one fee until it adds up',
  'weighs 49 kg for 4.3 declared',
  'returns a parcel under the waybill of another',
  'answers a trace of 8,000 rows',
  'pushes lists of several parcels, many at once and in any order',
  'loses the first answer and refuses every repeat',
];

/**
 * The attacks of a hostile carrier. Each of them runs against a separate product, whose carrier
 * account calls the hostile carrier.
 */
export const carrierAttacks: readonly Attack[] = names.map((name) => ({
  name: `a carrier ${name}`,
  run: async (_system, judge) => {
    const found = hostileCases.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no case "${name}"`);
    const ground = await openGround();
    try {
      await found.run(ground, judge);
    } finally {
      await ground.close();
    }
  },
}));
