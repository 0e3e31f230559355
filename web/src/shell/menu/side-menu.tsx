import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons-svg';
import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { useShallow } from 'zustand/shallow';
import { Icon } from '#ui/icon.tsx';
import { ScreenIcon } from './icons.tsx';
import { localMenu, menuOfServer } from './menu.ts';
import type { MenuSection } from './menu.ts';
import type { Screen } from '@waystation/contract/shell/screens.ts';
import { useServerMenu } from './server-menu.ts';
import { useUser } from '#shell/session/session.ts';
import { changeSettings } from '#base/settings-store.ts';
import { useSettings } from '#base/settings.ts';
import styles from './side-menu.module.css';
import { useTabs } from '#shell/tabs/tab-store.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';

export const useMenu = (): MenuSection[] => {
  const { role } = useUser();
  const nodes = useServerMenu((state) => state.nodes);
  return nodes ? menuOfServer(nodes, role) : localMenu(role);
};

const headingOf = (section: MenuSection, t: Say): string | null => {
  if (!section.heading) return null;
  return 'group' in section.heading
    ? t(`shell.group.${section.heading.group}`)
    : section.heading.words;
};

/** The up and down arrow keys move the focus from link to link. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const links = [...(event.currentTarget.closest('nav')?.querySelectorAll('a') ?? [])];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (at < 0) return;
  event.preventDefault();
  links[(at + step + links.length) % links.length]!.focus();
};

interface LinksProps {
  collapsed?: boolean;
  /** Loads the page of a screen that the user is about to open. */
  prefetch: (screen: Screen) => void;
  onPick?: () => void;
}

/** The links of the menu. If `collapsed` is true, only their icons are shown. */
export const MenuLinks = ({ collapsed = false, prefetch, onPick }: LinksProps) => {
  const { t } = useTexts();
  const active = useTabs((state) => state.active);
  const tabs = useTabs(
    useShallow((state) => Object.fromEntries(state.tabs.map((tab) => [tab.key, tab.href]))),
  );
  const links = useRef<HTMLElement>(null);
  const menu = useMenu();
  // The effect also runs when the server's menu arrives, which may be after the screen is shown.
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [active, menu.length]);
  return (
    <nav
      className={styles['links']}
      ref={links}
      aria-label={t('shell.main_menu')}
      data-collapsed={collapsed || undefined}
    >
      {menu.map((section) => {
        const heading = headingOf(section, t);
        return (
          <section
            key={section.key}
            className={styles['section']}
            {...(heading !== null && { 'aria-label': heading })}
          >
            {heading !== null && (
              <p className={styles['heading']} aria-hidden>
                <span>{heading}</span>
              </p>
            )}
            <ul>
              {section.screens.map((screen) => {
                const title = t(`menu.${screen.title}`);
                return (
                  <li key={screen.name}>
                    <a
                      className={styles['link']}
                      title={collapsed ? title : undefined}
                      href={`#${tabs[screen.name] ?? screen.path}`}
                      aria-current={screen.name === active ? 'page' : undefined}
                      onClick={onPick}
                      onKeyDown={walk}
                      onPointerEnter={() => prefetch(screen)}
                      onFocus={() => prefetch(screen)}
                    >
                      <ScreenIcon name={screen.icon} />
                      <span className={collapsed ? 'sr-only' : styles['title']}>{title}</span>
                    </a>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </nav>
  );
};

/**
 * The menu at the side. It has the width that the user set, or is 48 px wide and shows only icons.
 * The choice is stored.
 */
export const SideMenu = ({ prefetch }: Pick<LinksProps, 'prefetch'>) => {
  const { t } = useTexts();
  const collapsed = useSettings((state) => state.menuCollapse);
  const width = useSettings((state) => state.menuWidth);
  const label = collapsed ? t('shell.expand_menu') : t('shell.collapse_menu');
  return (
    <aside
      className={styles['side']}
      style={{ width: collapsed ? 48 : width }}
      aria-label={t('shell.side_bar')}
    >
      <MenuLinks collapsed={collapsed} prefetch={prefetch} />
      <button
        type="button"
        className={styles['fold']}
        aria-label={label}
        aria-expanded={!collapsed}
        title={label}
        onClick={() => changeSettings({ menuCollapse: !collapsed })}
      >
        {collapsed ? <Icon of={MenuUnfoldOutlined} /> : <Icon of={MenuFoldOutlined} />}
      </button>
    </aside>
  );
};
