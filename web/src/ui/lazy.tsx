import { Suspense, lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';

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
