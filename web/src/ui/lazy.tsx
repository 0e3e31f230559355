import { Suspense, lazy, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { whenIdle } from '#base/idle.ts';

/**
 * A component whose file is loaded when it is first drawn. It is for parts that a page shows only
 * on demand. `meanwhile` is shown until the file is loaded.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = null,
): ComponentType<P> => {
  const Fetched = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>;
  return function LazyComponent(props: P) {
    return (
      <Suspense fallback={meanwhile}>
        <Fetched {...props} />
      </Suspense>
    );
  };
};

/**
 * A lazy component whose file is loaded when the browser is idle, before the component is first
 * drawn. It is for a dialog that a key opens, because the next keys must reach the dialog. A loaded
 * file is drawn immediately, but React draws suspended content up to 300 ms late.
 */
export const idleComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> => {
  let fetched: ComponentType<P> | null = null;
  const fetchOnce = async (): Promise<ComponentType<P>> => (fetched = await load());
  const Lazy = lazyComponent(fetchOnce);
  // If this load fails, it is repeated when the component is drawn.
  whenIdle(() => void fetchOnce().catch(() => undefined));
  return function IdleComponent(props: P) {
    // Stays the same component for as long as this one is mounted, even if the load ends meanwhile.
    const [Drawn] = useState(() => fetched ?? Lazy);
    return <Drawn {...props} />;
  };
};
