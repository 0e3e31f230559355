import { describe, expect, it } from 'vitest';
import { offeredProviders, providers } from '@waystation/contract/network/provider.ts';
import { systemClock } from '#platform/clock.ts';
import { openCarriers } from './carriers.ts';

describe('the carriers that forms offer', () => {
  it('forms offer exactly the carriers that have an adapter', () => {
    const carriers = openCarriers({ clock: systemClock, outboundAllow: [], timeoutMs: 1_000 });
    const spoken = (Object.keys(providers) as (keyof typeof providers)[]).filter((provider) => {
      try {
        return carriers.carrierOf(provider) !== undefined;
      } catch {
        return false;
      }
    });
    carriers.close();
    expect(spoken.toSorted()).toEqual(offeredProviders.toSorted());
  });
});
