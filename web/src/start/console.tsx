import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { openDuty } from '@waystation/contract/base/login-duties.ts';
import { readPreferences } from '@waystation/contract/people/preferences.ts';
import './console.css';
import { dropForeignDrafts } from '#shell/session/drafts.ts';
import { pathOf } from '#base/href.ts';
import { PageBoundary } from '#shell/layout/page-boundary.tsx';
import { Layout } from '#shell/layout/layout.tsx';
import { startNavigation } from '#shell/tabs/navigation.ts';
import { watchVersion } from '#shell/layout/new-version.ts';
import { currentHref } from '#shell/tabs/location.ts';
import { useTabs } from '#shell/tabs/tab-store.ts';
import { NotifyHost, dropQuestions } from '#ui/overlay/notify.tsx';
import { Pages, preparePage } from './page-host.tsx';
import { prefetchPage } from './page-loaders.ts';
import { openParcel } from '#shell/palette/parcel-search.ts';
import { followPreferences } from '#shell/settings/preferences.ts';
import { startProgress } from '#base/progress.ts';
import { startLiveEvents } from '#base/live-events.ts';
import { queryClient, readOnce } from '#base/query.ts';
import { useIdle, watchIdle } from '#base/idle.ts';
import { followServerMenu } from '#shell/menu/server-menu.ts';
import { watchSession } from '#shell/session/session-watch.ts';
import { isLoggingOut } from '#base/logout-reason.ts';
import { onSessionEnd, useSession } from '#shell/session/session.ts';
import { listenForScannedTabs } from '#base/scan-bursts.ts';
import { listenForKeys } from '#base/shortcuts.ts';
import { guardWindow } from '#shell/tabs/tab-actions.ts';
import { TextsProvider, startTexts } from '#base/texts.ts';

const ForcedChange = lazy(async () => ({
  default: (await import('./forced-change.tsx')).ForcedChange,
}));

const ForcedTwoFactor = lazy(async () => ({
  default: (await import('./forced-two-factor.tsx')).ForcedTwoFactor,
}));

const OrdersPill = lazy(async () => ({
  default: (await import('#parcels/orders/orders-pill.tsx')).OrdersPill,
}));

const InboxButton = lazy(async () => ({
  default: (await import('#resource/inbox/inbox-button.tsx')).InboxButton,
}));

const BenchBar = lazy(async () => ({
  default: (await import('#parcels/bench/bench-bar.tsx')).BenchBar,
}));

/**
 * Shows content that every page has. The content is loaded when the browser is idle, after the
 * console was shown.
 */
const OnceIdle = ({ children }: { children: ReactNode }) => {
  const idle = useIdle((state) => state.idle);
  return (
    <PageBoundary renderError={() => null}>
      <Suspense fallback={null}>{idle && children}</Suspense>
    </PageBoundary>
  );
};

const Root = () => (
  <TextsProvider>
    <QueryClientProvider client={queryClient}>
      <NotifyHost />
      <Layout
        pages={<Pages />}
        orders={
          <OnceIdle>
            <OrdersPill />
          </OnceIdle>
        }
        inbox={
          <OnceIdle>
            <InboxButton />
          </OnceIdle>
        }
        bench={
          <PageBoundary renderError={() => null}>
            <Suspense fallback={null}>
              <BenchBar />
            </Suspense>
          </PageBoundary>
        }
        duties={{ password: <ForcedChange />, second_factor: <ForcedTwoFactor /> }}
        prefetch={prefetchPage}
      />
    </QueryClientProvider>
  </TextsProvider>
);

/** Shows the progress bar during requests, except for quiet requests. */
const followLoading = (): void => {
  let end: (() => void) | null = null;
  const follow = (): void => {
    const busy =
      queryClient.isFetching({ predicate: (query) => query.meta?.['quiet'] !== true }) > 0;
    if (busy && !end) end = startProgress();
    else if (!busy && end) {
      end();
      end = null;
    }
  };
  // Runs with a delay, because queries are created while a component is rendered. No other
  // component may change during that time.
  queryClient.getQueryCache().subscribe(() => queueMicrotask(follow));
};

/**
 * Starts the parts that need a logged-in user. They are the settings stored on the server and, if
 * it is enabled, the menu from the server.
 */
const whenLoggedIn = (): void => {
  const stop = useSession.subscribe(({ user }) => {
    // The server answers these requests with 403 until the user has done what the login requires.
    if (!user || openDuty(user)) return;
    stop();
    dropForeignDrafts(user.id);
    void followPreferences();
    followServerMenu();
    onSessionEnd(startLiveEvents());
  });
};

/**
 * The first rendering waits at most this many milliseconds for user, page and data, so that the
 * page is rendered only once. After this time, the page is rendered with the data that have
 * arrived.
 */
const timeoutMs = 400;

const arrived = (): Promise<void> =>
  new Promise((resolve) => {
    if (useSession.getState().user) return resolve();
    const stop = useSession.subscribe(({ user }) => {
      if (!user) return;
      stop();
      resolve();
    });
  });

/**
 * Loads the user, the user's preferences, and the page with its first requests. All are requested
 * simultaneously.
 */
const prepare = async (): Promise<void> => {
  const wanted = currentHref();
  const loading = Promise.allSettled([preparePage(wanted), readOnce(readPreferences, {})]);
  await arrived();
  await loading;
  // If the user may not see the wanted page, another page was opened instead. That page is loaded
  // now.
  if (pathOf(currentHref()) !== pathOf(wanted)) await preparePage(currentHref()).catch(() => null);
};

/** The URL of the page that is shown; undefined if none is. */
const shownHref = ({ tabs, active }: ReturnType<typeof useTabs.getState>): string | undefined =>
  tabs.find(({ key }) => key === active)?.href;

/**
 * When the user leaves the page that asked a question, or the content that it showed, the open
 * question is answered with no.
 */
const followPage = (): void =>
  void useTabs.subscribe((now, before) => {
    if (now.active !== before.active || shownHref(now) !== shownHref(before)) dropQuestions();
  });

/** Starts the console after login. `ready` is called just before the console replaces the page. */
export const startConsole = async (ready?: () => void): Promise<void> => {
  watchSession();
  watchVersion();
  followLoading();
  guardWindow(isLoggingOut);
  listenForScannedTabs();
  followPage();
  listenForKeys((text) => void openParcel(text));
  whenLoggedIn();
  startNavigation();
  const prepared = prepare();
  await startTexts();
  await Promise.race([prepared, new Promise((later) => setTimeout(later, timeoutMs))]);
  ready?.();
  const root = createRoot(document.getElementById('root')!, {
    // The error boundary shows the error; its stack is written to the browser's console.
    onCaughtError: (error, info) => console.info('a page failed', error, info.componentStack),
  });
  root.render(
    <StrictMode>
      <Root />
    </StrictMode>,
  );
  watchIdle();
};
