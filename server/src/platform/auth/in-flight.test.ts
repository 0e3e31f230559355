import { describe, expect, it } from 'vitest';
import { createInFlight } from './in-flight.ts';

describe('the work in flight', () => {
  it('work in flight beyond the limit of one name is refused until some of that work has ended', () => {
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

  it('work in flight under more names than the limit is refused until one of them has no work', () => {
    const work = createInFlight({ each: 2, names: 2 });
    const first = work.enter('a')!;
    work.enter('b');
    expect(work.enter('c')).toBeNull();
    expect(work.enter('b')).not.toBeNull();
    first();
    expect(work.enter('c')).not.toBeNull();
  });
});
