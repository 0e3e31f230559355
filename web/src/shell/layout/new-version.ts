import { create } from 'zustand';
import { loadAbout } from '#base/server-facts.ts';

/** `waiting` is true if the server has a newer build of the web than this window runs. */
export const useNewVersion = create<{ waiting: boolean }>(() => ({ waiting: false }));

const checkEvery = 10 * 60_000;
const atLeast = 60_000;

/**
 * The file name of the entry script of this window, `assets/main-….js`; null in development,
 * because no build exists there.
 */
const running = (): string | null =>
  /assets\/[^/]+\.js$/.exec(
    document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '',
  )?.[0] ?? null;

const check = async (): Promise<void> => {
  try {
    const response = await fetch('/build.json', { cache: 'no-store' });
    if (!response.ok) return;
    const { build } = (await response.json()) as { build?: unknown };
    if (typeof build === 'string' && build !== running()) useNewVersion.setState({ waiting: true });
  } catch {
    // The browser is offline. The next check comes later.
  }
};

/**
 * Checks for a new build at intervals and each time the window gets the focus. The public
 * information about the server is read too.
 */
export const watchVersion = (): void => {
  if (running() === null) return;
  let checkedAt = Date.now();
  const ask = (): void => {
    if (document.hidden || useNewVersion.getState().waiting || Date.now() - checkedAt < atLeast)
      return;
    checkedAt = Date.now();
    void check();
    void loadAbout();
  };
  setInterval(ask, checkEvery);
  document.addEventListener('visibilitychange', ask);
};
