/**
 * Calls `run` unless another window of this browser holds the lock with this name. On a page
 * without HTTPS there are no locks, so `run` is always called. Idempotency keys then prevent a
 * second effect.
 */
export const underLock = async (name: string, run: () => Promise<void>): Promise<void> => {
  // According to its type, `navigator.locks` always exists, but it is missing on a page without
  // HTTPS.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return run();
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await run();
  });
};
