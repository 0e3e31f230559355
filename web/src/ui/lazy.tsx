import { Suspense, lazy } from 'react';
import type { ComponentType } from 'react';

/** A component whose file is fetched when it is first drawn: for what a page shows on demand. Nothing stands there until it has come. */
export const lazyComponent = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  const Fetched = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>;
  return function LazyComponent(props: P) {
    return (
      <Suspense fallback={null}>
        <Fetched {...props} />
      </Suspense>
    );
  };
};
