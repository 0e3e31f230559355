import { describe, expect, it } from 'vitest';
import { follow, hear, sinceRead } from './since.ts';

const created = (express_id: number) =>
  ({ kind: 'parcel', change: 'created', express_id }) as never;
const counted = (number: number) => ({ kind: 'parcels', created: number }) as never;
const reset = { kind: 'reset' } as const;

describe('the events since a list was read', () => {
  it('a parcel created before the last read of the parcel list is no longer announced as new', () => {
    const before = hear(sinceRead(1, false), created(7));
    expect([...before.ids]).toEqual([7]);
    const after = follow(follow(before, 1, true), 2, false);
    expect(after).toMatchObject({ at: 2, events: 0, gap: false });
    expect(after.ids.size).toBe(0);
  });

  it('if a parcel is ordered during a read of the parcel list, it is still announced as new after the read', () => {
    const after = follow(hear(sinceRead(0, true), created(7)), 2, false);
    expect([...after.ids]).toEqual([7]);
    expect(after).toMatchObject({ at: 2, events: 1, gap: false });
  });

  it('if new parcels are announced only by their count during a read of the parcel list, the list is marked as possibly incomplete', () => {
    const after = follow(hear(sinceRead(1, true), counted(40)), 2, false);
    expect(after).toMatchObject({ unnamed: 0, gap: true, events: 1 });
  });

  it('a gap in the live events during a read of the parcel list remains reported until the next read has ended', () => {
    const after = follow(hear(sinceRead(1, true), reset), 2, false);
    expect(after.gap).toBe(true);
    expect(follow(follow(after, 2, true), 3, false).gap).toBe(false);
  });

  it('if a read of the parcel list fails, the live events received during the read are kept until the next read succeeds', () => {
    const failed = follow(hear(sinceRead(1, true), created(7)), 1, false);
    expect([...failed.ids]).toEqual([7]);
    expect(follow(follow(failed, 1, true), 2, false).ids.size).toBe(0);
  });
});
