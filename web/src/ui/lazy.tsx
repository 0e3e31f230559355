import { Suspense, lazy, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { whenIdle } from '#base/idle.ts';

/** A component whose file is fetched when it is first drawn: for what a page shows on demand. Until it has come, `meanwhile` stands there. */
export const lazyComponent = <P extends object>(load: () => Promise<ComponentType<P>>, meanwhile: ReactNode = null): ComponentType<P> => {
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
 * A lazy component whose file is fetched once the console is idle, without waiting for its first drawing: for a dialog that a key opens, so that what is typed right
 * after the key reaches it. Fetched before, it is drawn at once: React shows what was suspended up to 300 ms late.
 */
export const idleComponent = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  let fetched: ComponentType<P> | null = null;
  const fetchOnce = async (): Promise<ComponentType<P>> => (fetched = await load());
  const Lazy = lazyComponent(fetchOnce);
  // One that cannot be fetched is fetched again when it is drawn.
  whenIdle(() => void fetchOnce().catch(() => undefined));
  return function IdleComponent(props: P) {
    // The same one as long as it is mounted.
    const [Drawn] = useState(() => fetched ?? Lazy);
    return <Drawn {...props} />;
  };
};
