import { SettingOutlined } from '@ant-design/icons-svg';
import { Suspense, lazy, useEffect, useLayoutEffect } from 'react';
import type { ReactNode } from 'react';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { useOnceOpen } from '#ui/use-once-open.ts';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { Banners } from './banners.tsx';
import { useBench } from './bench.ts';
import { Footer } from './footer.tsx';
import styles from './layout.module.css';
import { Logo } from './logo.tsx';
import { Navbar } from './navbar.tsx';
import { hideOverlay, showOverlay, useOverlays } from './overlays.ts';
import { PageBoundary } from './page-boundary.tsx';
import { popupsId } from '#ui/overlay/popups.ts';
import { useProgress } from '#base/progress.ts';
import { openDuty } from '@waystation/contract/base/login-duties.ts';
import type { LoginDuty } from '@waystation/contract/base/login-duties.ts';
import { screenOf } from '@waystation/contract/shell/screens.ts';
import type { Screen } from '@waystation/contract/shell/screens.ts';
import { useSession } from '#shell/session/session.ts';
import { useSettings } from '#base/settings.ts';
import { keepEarlyKeys } from '#shell/palette/early-keys.ts';
import { useShellShortcuts } from '#shell/palette/shell-shortcuts.ts';
import { MenuLinks, SideMenu } from '#shell/menu/side-menu.tsx';
import { TabBar } from '#shell/tabs/tab-bar.tsx';
import { useTabs } from '#shell/tabs/tab-store.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';

const fetchPalette = () => import('#shell/palette/command-palette.tsx');
const SettingsDrawer = lazy(async () => ({
  default: (await import('#shell/settings/settings-drawer.tsx')).SettingsDrawer,
}));
const CommandPalette = lazy(async () => ({ default: (await fetchPalette()).CommandPalette }));
const ShortcutSheet = lazy(async () => ({
  default: (await import('#shell/palette/shortcut-sheet.tsx')).ShortcutSheet,
}));

/**
 * The parts that the layout shows but must not import, because they belong to higher layers. The
 * higher layers pass them as props.
 */
interface LayoutProps {
  /** The element that contains the open pages. */
  pages: ReactNode;
  /** The element that shows the number of orders in progress, in the navbar. */
  orders: ReactNode;
  /** The button of the notifications, shown in the navbar. */
  inbox: ReactNode;
  /** The bar that replaces the navbar in bench mode. */
  bench: ReactNode;
  /**
   * A dialog for each duty that a login may require. It is shown instead of everything else until
   * the user has done the duty.
   */
  duties: Readonly<Record<LoginDuty, ReactNode>>;
  /** Loads the page of a screen that is about to be opened. */
  prefetch: (screen: Screen) => void;
}

const Overlays = ({ prefetch }: Pick<LayoutProps, 'prefetch'>) => {
  const { t } = useTexts();
  const { settings, palette, shortcuts, menu } = useOverlays();
  const mounted = {
    settings: useOnceOpen(settings),
    palette: useOnceOpen(palette),
    shortcuts: useOnceOpen(shortcuts),
  };
  // Keys that are pressed before the search field has the focus are kept for it.
  useLayoutEffect(
    () => (palette ? keepEarlyKeys(() => hideOverlay('palette')) : undefined),
    [palette],
  );
  return (
    <>
      <Suspense fallback={null}>
        {mounted.settings && <SettingsDrawer open={settings} />}
        {mounted.palette && <CommandPalette open={palette} />}
        {mounted.shortcuts && <ShortcutSheet open={shortcuts} />}
      </Suspense>
      <Drawer
        open={menu}
        onClose={() => hideOverlay('menu')}
        placement="left"
        size={260}
        title={t('shell.product')}
        flush
      >
        <MenuLinks prefetch={prefetch} onPick={() => hideOverlay('menu')} />
      </Drawer>
    </>
  );
};

const Progress = () => {
  const { t } = useTexts();
  const { running, share } = useProgress();
  return <ProgressBar busy={running > 0} share={share} label={t('shell.loading')} />;
};

/** Shown while the user info is loading. At first it shows nothing. */
const Arriving = () => {
  const { t } = useTexts();
  return (
    <div className={styles['arriving']}>
      <Banners />
      <main className={styles['splash']} aria-busy>
        <Logo size={48} />
        <output>{t('shell.loading')}</output>
      </main>
    </div>
  );
};

/** Sets the document's title to the name of the active screen. */
const useDocumentTitle = (): void => {
  const { t } = useTexts();
  const active = useTabs((state) => state.active);
  const missing = useTabs((state) => state.missing);
  const screen = active === null ? null : screenOf(active);
  const detail = useTabs((state) => state.tabs.find(({ key }) => key === active)?.detail ?? null);
  const title = missing ? t('shell.not_found_title') : screen ? t(`menu.${screen.title}`) : '';
  useEffect(() => {
    document.title = [detail, title, t('shell.product_full')].filter(Boolean).join(' · ');
  }, [detail, title, t]);
};

/** Preloads the palette, because users go on typing immediately after Ctrl K. */
const usePreloadedPalette = (): void => {
  useEffect(() => {
    const timer = setTimeout(() => void fetchPalette().catch(() => null), 2000);
    return () => clearTimeout(timer);
  }, []);
};

const skipToContent = (): void => document.getElementById('content')?.focus();

const Console = ({ pages, orders, inbox, bench, prefetch }: Omit<LayoutProps, 'duties'>) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const isBench = useBench();
  const navbar = useSettings((state) => state.navbar);
  const menu = useSettings((state) => state.menu);
  const tabBar = useSettings((state) => state.tabBar);
  const footer = useSettings((state) => state.footer);
  useShellShortcuts();
  useDocumentTitle();
  usePreloadedPalette();
  return (
    <div className={styles['shell']} data-bench={isBench || undefined}>
      <button type="button" className={styles['skip']} onClick={skipToContent}>
        {t('shell.skip')}
      </button>
      <Banners />
      {isBench ? (
        <div className={styles['bench']}>
          {bench}
          {orders}
        </div>
      ) : (
        navbar && <Navbar orders={orders} inbox={inbox} />
      )}
      <div className={styles['body']}>
        {menu && !narrow && !isBench && <SideMenu prefetch={prefetch} />}
        <div className={styles['work']}>
          {tabBar && !isBench && <TabBar />}
          <main id="content" className={styles['content']} tabIndex={-1}>
            {pages}
            <div id={popupsId} />
          </main>
          {footer && !isBench && <Footer />}
        </div>
      </div>
      {!navbar && !isBench && (
        <button
          type="button"
          className={styles['floating']}
          aria-label={t('shell.settings')}
          title={t('shell.settings')}
          aria-haspopup="dialog"
          onClick={() => showOverlay('settings')}
        >
          <Icon of={SettingOutlined} />
        </button>
      )}
      <PageBoundary renderError={() => null}>
        <Overlays prefetch={prefetch} />
      </PageBoundary>
    </div>
  );
};

/** The common layout of all screens (requirements §2). */
export const Layout = ({ pages, orders, inbox, bench, duties, prefetch }: LayoutProps) => {
  const { t } = useTexts();
  const arrived = useSession((state) => state.user !== null);
  const duty = useSession(({ user }) => user && openDuty(user));
  const broken = (error: unknown) => (
    <main className={styles['splash']}>
      <ErrorPanel
        error={error}
        title={t('shell.console_failed')}
        onRetry={() => window.location.reload()}
      />
    </main>
  );
  return (
    <PageBoundary renderError={broken}>
      <Progress />
      {!arrived && <Arriving />}
      {duty && <Suspense fallback={<Arriving />}>{duties[duty]}</Suspense>}
      {arrived && !duty && (
        <Console pages={pages} orders={orders} inbox={inbox} bench={bench} prefetch={prefetch} />
      )}
    </PageBoundary>
  );
};
