import { Activity, Suspense, createElement, lazy, useEffect, useLayoutEffect, useRef } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { isChunkError } from '#base/api-error.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { pathOf, searchOf } from '#base/href.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { PageBoundary } from '#shell/layout/page-boundary.tsx';
import { PageContext } from '#shell/tabs/page.ts';
import styles from './page-host.module.css';
import { startProgress } from '#base/progress.ts';
import { queryClient } from '#base/query.ts';
import { landing, screenAt, screenOrThrow } from '@waystation/contract/shell/screens.ts';
import { loadPage } from './page-loaders.ts';
import { closeTabs } from '#shell/tabs/tab-actions.ts';
import { changeTabs, useTabs } from '#shell/tabs/tab-store.ts';
import { reload } from '#shell/tabs/tabs.ts';
import type { Tab } from '#shell/tabs/tabs.ts';
import { useTexts } from '#base/texts.ts';

const NotFound = lazy(async () => ({ default: (await import('#pages/not-found.tsx')).Page }));

const loaded = new Map<string, ComponentType>();

/** The page component of a screen. It is loaded when the screen is first shown. */
const pageOf = (name: string): ComponentType => {
  const known = loaded.get(name);
  if (known) return known;
  const page = lazy(async () => ({ default: (await loadPage(screenOrThrow(name).name)).Page }));
  loaded.set(name, page);
  return page;
};

/**
 * Loads the file of the first page and the data of its first requests before the first rendering.
 * The page is then complete when it is first rendered.
 */
export const preparePage = async (href: string): Promise<void> => {
  const screen = screenAt(pathOf(href));
  if (!screen) return;
  const { Page, preload } = await loadPage(screen.name);
  loaded.set(screen.name, Page);
  await preload?.(searchOf(href));
};

/** The widths of the grey lines that are shown while a page loads. */
const skeletonLines = ['160px', '100%', '98%', '96%', '99%', '97%', '61%'];

const Loading = () => {
  useEffect(startProgress, []);
  return (
    <div className={styles['loading']} aria-hidden>
      {skeletonLines.map((width) => (
        <span key={width} style={{ inlineSize: width }} />
      ))}
    </div>
  );
};

const PageFailed = ({ name, error }: { name: string; error: unknown }) => {
  const { t } = useTexts();
  const retry = (): void => {
    loaded.delete(name);
    // The cause may be a cached response, so the data are requested again.
    queryClient.removeQueries({ type: 'inactive' });
    changeTabs((state) => reload(state, name));
  };
  const leave = (): void => {
    if (name === landing) retry();
    else void closeTabs(name, 'this');
  };
  const chunk = isChunkError(error);
  return (
    <div className={styles['failed']}>
      <h1 className="sr-only">{t(`menu.${screenOrThrow(name).title}`)}</h1>
      <ErrorPanel
        error={error}
        {...(!chunk && {
          title: t('shell.page_failed', { title: t(`menu.${screenOrThrow(name).title}`) }),
        })}
        onRetry={chunk ? () => window.location.reload() : retry}
        actions={
          <>
            {name !== landing && <Button onClick={leave}>{t('shell.tab_close')}</Button>}
            {name !== landing && (
              <Button onClick={() => openScreen(landing)}>{t('shell.to_landing')}</Button>
            )}
          </>
        }
      />
      {error instanceof Error && !chunk && (
        <details className={styles['details']}>
          <summary>{t('shell.technical_details')}</summary>
          <pre>{`${error.name}: ${error.message}`}</pre>
        </details>
      )}
    </div>
  );
};

/**
 * The element in which a page scrolls. Its scroll position is kept while the page's tab is hidden.
 */
const ScrollBox = ({ title, children }: { title: string; children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  useLayoutEffect(() => {
    // Restores only a position greater than 0, because setting 0 would make the browser calculate
    // the layout again without any effect.
    if (top.current > 0) box.current!.scrollTop = top.current;
  }, []);
  return (
    <div
      ref={box}
      className={styles['scroll']}
      data-page={title}
      onScroll={(event) => {
        // When the element is hidden, the browser reports a scroll to 0. So only scrolls of a
        // visible element are stored.
        if (event.target === event.currentTarget && event.currentTarget.offsetParent !== null)
          top.current = event.currentTarget.scrollTop;
      }}
    >
      {children}
    </div>
  );
};

const NamedPage = ({ name }: { name: string }) => createElement(pageOf(name));

const PageFrame = ({ tab, active }: { tab: Tab; active: boolean }) => (
  <Activity mode={active ? 'visible' : 'hidden'}>
    <PageContext value={tab.key}>
      <ScrollBox title={tab.key}>
        <PageBoundary renderError={(error) => <PageFailed name={tab.key} error={error} />}>
          <Suspense fallback={<Loading />}>
            <NamedPage name={tab.key} />
          </Suspense>
        </PageBoundary>
      </ScrollBox>
    </PageContext>
  </Activity>
);

/**
 * All open pages that were shown at least once. Only the active page is visible. A page that need
 * not be kept is removed when it is hidden, unless it has unsaved work. The pages are sorted by
 * name, so that dragging a tab does not move them in the document.
 */
export const Pages = () => {
  const { tabs, active, missing } = useTabs();
  const mounted = tabs
    .filter(
      (tab) => tab.shown && (!screenOrThrow(tab.key).fresh || tab.unsaved || tab.key === active),
    )
    .toSorted((a, b) => a.key.localeCompare(b.key));
  return (
    <>
      {mounted.map((tab) => (
        <PageFrame key={`${tab.key}#${tab.rev}`} tab={tab} active={tab.key === active} />
      ))}
      {missing && (
        <div className={styles['scroll']}>
          <Suspense fallback={<Loading />}>
            <NotFound />
          </Suspense>
        </div>
      )}
    </>
  );
};
