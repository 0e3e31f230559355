/**
 * Calls `run` unless another window of this browser holds the lock with this name. A browser
 * without locks, on a page without HTTPS, always calls `run`. Idempotency keys then prevent a
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
