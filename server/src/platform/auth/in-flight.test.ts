import { describe, expect, it } from 'vitest';
import { createInFlight } from './in-flight.ts';

describe('limiting the running work per name', () => {
  it('work for one name is refused beyond its limit until some of that work has ended', () => {
    const work = createInFlight({ each: 2, names: 10 });
    const first = work.enter('a')!;
    expect(work.enter('a')).not.toBeNull();
    expect(work.enter('a')).toBeNull();
    expect(work.enter('b')).not.toBeNull();
    first();
    first();
    expect(work.enter('a')).not.toBeNull();
    expect(work.enter('a')).toBeNull();
  });

  it('if the maximum number of names has running work, work for a new name is refused until all work of one name has ended', () => {
    const work = createInFlight({ each: 2, names: 2 });
    const first = work.enter('a')!;
    work.enter('b');
    expect(work.enter('c')).toBeNull();
    expect(work.enter('b')).not.toBeNull();
    first();
    expect(work.enter('c')).not.toBeNull();
  });
});
