import type pg from 'pg';

type Release = (problem?: Error | boolean) => void;
type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: Release | undefined,
) => void;

const once = (release: Release): Release => {
  let isReleased = false;
  return (problem) => {
    if (isReleased) return;
    isReleased = true;
    release(problem);
  };
};

/**
 * Returns a pool for the job library. Only the library's LISTEN requests a connection with a
 * callback, and gets it from `listenPool`. If LISTEN fails while the library stops, the library
 * releases the connection twice. The pool would throw an error about that, which would end the
 * process.
 */
export const libraryPool = (pool: pg.Pool, listenPool: pg.Pool): pg.Pool => {
  const connect = (callback?: Callback): unknown => {
    if (callback === undefined) return pool.connect();
    // A pool that was ended calls the callback without `release`.
    const answer: Callback = (error, client, release) =>
      callback(error, client, release && once(release));
    return listenPool.connect(answer);
  };
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  });
};
