/**
 * Calls `run` unless another window of this browser holds the name. A browser without locks (a page
 * without HTTPS) always calls it: the idempotency key prevents a second effect.
 */
export const underLock = async (name: string, run: () => Promise<void>): Promise<void> => {
  // The type says that locks always exist, but an insecure context has none.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return run();
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await run();
  });
};
