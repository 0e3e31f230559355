import { describe, expect, it } from 'vitest';
import { createInFlight } from './in-flight.ts';

describe('the work in flight', () => {
  it('work beyond the limit of its name is refused until some of it has ended, once each', () => {
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

  it('names beyond the limit are refused until one has no work, so that the table remains small', () => {
    const work = createInFlight({ each: 2, names: 2 });
    const first = work.enter('a')!;
    work.enter('b');
    expect(work.enter('c')).toBeNull();
    expect(work.enter('b')).not.toBeNull();
    first();
    expect(work.enter('c')).not.toBeNull();
  });
});
