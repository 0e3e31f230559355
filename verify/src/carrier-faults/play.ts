import type { FaultGround } from '@waystation/server/testing/carrier-faults/ground.ts';
import {
  cancelParcel,
  decide,
  editParcel,
  orderParcel,
  poll,
  readParcels,
  resubmitParcel,
  resumeAccounts,
  weighParcel,
} from '@waystation/server/testing/carrier-faults/people.ts';
import type { ReadParcel } from '@waystation/server/testing/carrier-faults/people.ts';
import { promisesOf } from '#kills/plain-price.ts';
import type { Place } from '#kills/plain-price.ts';
import type { SimulatedCarrier } from '#simulated-carrier.ts';
import { isNamed, judgeEnd, judgeEnding, judgeHeld, judgeOpen } from './judge.ts';
import { fateOf } from './story.ts';
import type { Act, Story } from './story.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
/**
 * The maximum time in milliseconds between the first answer of the carrier after the faults and the
 * known outcome of an order.
 */
export const resolvedWithinMs = minute;
/**
 * The steps by which the carrier's time is moved forward after a history. They are repeated until
 * every parcel has arrived.
 */
const hops = [2 * 60 * minute, day, 2 * day, 3 * day];

export interface Played {
  /** The broken promises, each as one sentence. */
  problems: string[];
  /**
   * The reasons of the orders for which an administrator must still decide after the carrier has
   * answered again.
   */
  named: string[];
  /**
   * The faults that occurred in calls and the points at which processes died. Each occurrence adds
   * one text.
   */
  met: string[];
  log: string[];
}

interface Play {
  ground: FaultGround;
  side: SimulatedCarrier;
  story: Story;
  ids: number[];
  isOutage: boolean;
  played: Played;
}

const inMs = ({ ground }: Play, ms: number): Date => new Date(ground.now().getTime() + ms);

/** Moves the time forward and runs each job at the time at which it is due. */
const letPass = async (play: Play, ms: number): Promise<void> => {
  const { ground } = play;
  const until = inMs(play, ms);
  for (let next = await ground.jobs.runDue(); next !== null && next <= until;) {
    ground.moveTo(next);
    next = await ground.jobs.runDue();
  }
  ground.moveTo(until);
};

/**
 * Returns the carrier's pushes in random order. Some of them are repeated and some are left out.
 */
const shuffled = ({ story: { chance } }: Play, bodies: string[]): string[] => {
  const left = bodies.flatMap((body) =>
    Array.from({ length: chance.pick([0, 1, 1, 1, 2, 4]) }, () => body),
  );
  return Array.from({ length: left.length }, () => left.splice(chance.below(left.length), 1)[0]!);
};

const push = async (play: Play): Promise<void> => {
  const { ground, side } = play;
  const bodies = shuffled(play, await ground.pushes());
  await ground.push(side.provider, bodies);
};

const fieldsOf = ({ province, city, county }: Place) => ({
  receive_province: province,
  receive_city: city,
  receive_county: county,
});

/**
 * Changes the state of a parcel at the carrier. Returns null, or the reason if the carrier has no
 * such order or refuses the change.
 */
const move = async (
  play: Play,
  id: number,
  act: (waybill: string) => Promise<void>,
): Promise<string | null> => {
  const { ground, side } = play;
  const [parcel] = await readParcels(ground, [id]);
  const [known] = await side.orders(parcel!.order_id);
  if (known === undefined || known.cancelled) return 'not there';
  const refused = await act(known.waybill).then(
    () => null,
    (error: unknown) => String(error).slice(0, 80),
  );
  await ground.follow();
  return refused;
};

const happen = async (play: Play, id: number, act: Act): Promise<string | null> => {
  const { ground, side } = play;
  switch (act.act) {
    case 'wait':
      await letPass(play, act.ms);
      if (act.ms >= 30 * minute) await poll(ground);
      return null;
    case 'change_receiver':
      return editParcel(ground, id, fieldsOf(act.place));
    case 'change_value':
      return editParcel(ground, id, { guarantee_value_amount: act.amount });
    case 'weigh':
      return weighParcel(ground, id, act.grams);
    case 'cancel':
      return cancelParcel(ground, id);
    case 'order_again':
      return resubmitParcel(ground, id);
    case 'pick_up':
      return move(play, id, side.pickUp);
    case 'deliver':
      return move(play, id, side.deliver);
    case 'show':
      return move(play, id, (waybill) =>
        side.show(waybill, {
          weight: act.weight,
          // A carrier that measures the volume never reports a volume of zero.
          volume: side.measuresVolume ? 1 : 0,
          surcharges: act.surcharges,
        }),
      );
    case 'push':
      await push(play);
      return null;
    case 'resume':
      await resumeAccounts(ground);
      return null;
  }
};

/** Lets calls of this history meet faults and lets processes die, both at random. */
const breakLine = (play: Play): void => {
  const { story, played } = play;
  const { chance } = story;
  play.ground.chances = {
    fateOf: ({ isCreate }) => {
      const fate = fateOf(story, play.isOutage, isCreate);
      if (fate !== null) {
        played.met.push(fate);
        played.log.push(`    a call${isCreate ? ' of an order' : ''}: ${fate}`);
      }
      return fate;
    },
    lifeOf: (task) => {
      const life = {
        left: chance.below(100) < story.deaths ? chance.below(8) : null,
        diedAt: null,
      };
      played.log.push(`    ${task}${life.left === null ? '' : `, which dies after ${life.left}`}`);
      if (life.left !== null) played.met.push('death');
      return life;
    },
    deadAfterMs: () => chance.between(1, 12) * second,
  };
};

const mendLine = async ({ ground }: Play): Promise<void> => {
  ground.chances = {
    fateOf: () => null,
    lifeOf: () => ({ left: null, diedAt: null }),
    deadAfterMs: () => second,
  };
  await ground.line.deliverLate();
  await ground.carrier.control('DELETE', 'faults');
  await resumeAccounts(ground);
};

/**
 * Decides, in the role of an administrator, each order that needs a decision. The decision follows
 * the real state of the order at the carrier.
 */
const decideNamed = async (play: Play, parcels: readonly ReadParcel[]): Promise<void> => {
  const { ground, side, played } = play;
  for (const parcel of parcels.filter(isNamed)) {
    const [known] = await side.orders(parcel.order_id);
    const refusal = await decide(ground, parcel, known?.waybill ?? null);
    played.named.push(parcel.reason!);
    played.log.push(`  decide ${known?.waybill ?? 'not stored'}: ${refusal ?? 'taken'}`);
    if (refusal !== null && refusal !== 'outcome_is_stored')
      played.problems.push(
        `parcel ${parcel.id} is left to the office as ${parcel.reason}, whose decision is refused: ${refusal}`,
      );
  }
};

const begin = async (play: Play): Promise<void> => {
  const { ground, side, story } = play;
  // Each history begins at ten o'clock on a new day.
  const today = ground.now().getTime();
  ground.moveTo(new Date(Math.ceil(today / day) * day + 2 * 60 * minute));
  await ground.pushes();
  await ground.carrier.control('POST', 'settings', {
    repeat_mode: story.repeats === 'first' ? 'existing' : 'error',
    sf: {
      repeat: story.repeats === 'first' ? 'first' : 'error',
      contradict_fees: story.contradictsFees,
    },
  });
  for (const { place, weight, insured, returns } of story.parcels) {
    const { id } = await orderParcel(ground, {
      promise_id: story.chance.pick(promisesOf[side.provider]),
      ...fieldsOf(place),
      weight,
      guarantee_value_amount: insured,
      remark: returns ? '退回' : '',
    });
    play.ids.push(id);
  }
};

/** Lets every parcel arrive, and lets the product receive all pushes and poll the carrier. */
const finish = async (play: Play): Promise<void> => {
  const { ground } = play;
  for (const hop of hops) {
    ground.moveTo(inMs(play, hop));
    await push(play);
    await poll(ground);
    await letPass(play, 12 * minute);
  }
};

const act = async (play: Play): Promise<void> => {
  const { story, ids, played, ground } = play;
  breakLine(play);
  for (const [index, { parcel, ...one }] of story.acts.entries()) {
    play.isOutage = index >= story.outage.from && index < story.outage.from + story.outage.count;
    const answer = await happen(play, ids[parcel]!, one);
    const at = ground.now().toISOString();
    played.log.push(`${at} ${JSON.stringify(one)} of ${ids[parcel]}: ${answer ?? 'done'}`);
    await ground.jobs.runDue();
  }
  play.isOutage = false;
};

/**
 * Plays a history of faults, and then lets the carrier answer again. Within a minute each order
 * must have an outcome, or an administrator must be able to decide it. At the end each order must
 * have one waybill and one charge.
 */
export const playStory = async (
  ground: FaultGround,
  side: SimulatedCarrier,
  story: Story,
): Promise<Played> => {
  const played: Played = { problems: [], named: [], met: [], log: [] };
  const play: Play = { ground, side, story, ids: [], isOutage: false, played };
  try {
    await begin(play);
    await act(play);
    await mendLine(play);
    played.log.push(`${ground.now().toISOString()} the carrier answers again`);
    await letPass(play, resolvedWithinMs);
    const open = await readParcels(ground, play.ids);
    played.problems.push(...open.flatMap(judgeOpen), ...open.flatMap(judgeHeld));
    for (const parcel of open) played.problems.push(...(await judgeEnding(side, parcel)));
    await decideNamed(play, open);
    await finish(play);
    for (const parcel of await readParcels(ground, play.ids))
      played.problems.push(...(await judgeEnd(side, parcel)));
  } catch (error) {
    const cause =
      error instanceof Error && error.cause ? ` ${String((error.cause as Error).stack)}` : '';
    played.problems.push(`${error instanceof Error ? error.stack : String(error)}${cause}`);
  }
  await ground.jobs.clear();
  return played;
};
