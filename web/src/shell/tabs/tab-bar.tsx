import {
  CheckOutlined,
  CloseOutlined,
  DownOutlined,
  PushpinFilled,
  ReloadOutlined,
} from '@ant-design/icons-svg';
import { useEffect, useRef, useState } from 'react';
import type { DragEvent, KeyboardEvent } from 'react';
import { Icon } from '#ui/icon.tsx';
import { Menu } from '#ui/overlay/menu.tsx';
import type { MenuItem } from '#ui/overlay/menu-props.ts';
import primitives from '#ui/primitives.module.css';
import { announce } from '#base/announce.ts';
import { go } from './location.ts';
import { screenOrThrow } from '@waystation/contract/shell/screens.ts';
import { closeTabs, reloadTab, reopenTab } from './tab-actions.ts';
import styles from './tab-bar.module.css';
import { scrollToWhole } from './tab-scroll.ts';
import { changeTabs, useTabs } from './tab-store.ts';
import { closingKeys, isFixed, move, pin } from './tabs.ts';
import type { Tab } from './tabs.ts';
import { useTexts } from '#base/texts.ts';

/** Returns the title of a tab: the name of its screen, and its detail text if there is one. */
const useTabTitle = (): ((tab: Tab) => string) => {
  const { t } = useTexts();
  return ({ key, detail }) =>
    [t(`menu.${screenOrThrow(key).title}`), detail].filter(Boolean).join(' · ');
};

/** The context menu of a tab. Actions that would change nothing are disabled. */
const TabMenu = ({
  tab,
  anchor,
  onClose,
}: {
  tab: Tab;
  anchor: HTMLElement;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const state = useTabs();
  const index = state.tabs.findIndex((one) => one.key === tab.key);
  const none = (which: Parameters<typeof closingKeys>[2]): boolean =>
    closingKeys(state, tab.key, which).length === 0;
  const groups: MenuItem[][] = [
    [
      { key: 'reload', label: t('shell.tab_reload'), run: () => void reloadTab(tab.key) },
      {
        key: 'pin',
        label: tab.pinned ? t('shell.tab_unpin') : t('shell.tab_pin'),
        disabled: isFixed(tab.key),
        run: () => changeTabs((before) => pin(before, tab.key, !tab.pinned)),
      },
    ],
    [
      {
        key: 'this',
        label: t('shell.tab_close'),
        disabled: none('this'),
        run: () => void closeTabs(tab.key, 'this'),
      },
      {
        key: 'left',
        label: t('shell.tab_close_left'),
        disabled: none('left'),
        run: () => void closeTabs(tab.key, 'left'),
      },
      {
        key: 'right',
        label: t('shell.tab_close_right'),
        disabled: none('right'),
        run: () => void closeTabs(tab.key, 'right'),
      },
      {
        key: 'others',
        label: t('shell.tab_close_others'),
        disabled: none('others'),
        run: () => void closeTabs(tab.key, 'others'),
      },
      {
        key: 'all',
        label: t('shell.tab_close_all'),
        disabled: none('all'),
        run: () => void closeTabs(tab.key, 'all'),
      },
    ],
    [
      {
        key: 'earlier',
        label: t('shell.tab_earlier'),
        disabled: isFixed(tab.key) || index <= 1,
        run: () => changeTabs((before) => move(before, tab.key, index - 1)),
      },
      {
        key: 'later',
        label: t('shell.tab_later'),
        disabled: isFixed(tab.key) || index === state.tabs.length - 1,
        run: () => changeTabs((before) => move(before, tab.key, index + 1)),
      },
      {
        key: 'reopen',
        label: t('shell.tab_reopen'),
        disabled: state.closed.length === 0,
        run: reopenTab,
      },
    ],
  ];
  return (
    <Menu
      anchor={anchor}
      label={t(`menu.${screenOrThrow(tab.key).title}`)}
      align="start"
      groups={groups}
      onClose={onClose}
    />
  );
};

const onTabKey = (event: KeyboardEvent<HTMLElement>, tab: Tab): void => {
  const links = [...(event.currentTarget.closest('ul')?.querySelectorAll('a') ?? [])];
  const at = links.indexOf(event.currentTarget as HTMLAnchorElement);
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step !== 0) {
    event.preventDefault();
    if (event.ctrlKey && event.shiftKey) changeTabs((state) => move(state, tab.key, at + step));
    else links[(at + step + links.length) % links.length]?.focus();
  } else if (event.key === 'Delete' && !isFixed(tab.key)) {
    event.preventDefault();
    (links[at + 1] ?? links[at - 1])?.focus();
    void closeTabs(tab.key, 'this');
  }
};

interface Drag {
  over: string | null;
  start: (key: string) => void;
  enter: (key: string | null) => void;
  drop: (index: number) => void;
}

interface ItemProps {
  tab: Tab;
  index: number;
  active: boolean;
  drag: Drag;
  onMenu: (key: string, anchor: HTMLElement) => void;
}

const TabItem = ({ tab, index, active, drag, onMenu }: ItemProps) => {
  const { t } = useTexts();
  const title = useTabTitle()(tab);
  const closable = !isFixed(tab.key) && !tab.pinned;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (active && item.current?.parentElement) scrollToWhole(item.current.parentElement);
  }, [active]);
  const allowDrop = (event: DragEvent): void => {
    event.preventDefault();
    drag.enter(tab.key);
  };
  return (
    // These handlers are shortcuts for the mouse. The link inside handles the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      ref={item}
      className={styles['tab']}
      data-active={active || undefined}
      data-over={drag.over === tab.key || undefined}
      draggable={!isFixed(tab.key)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(tab.key, event.currentTarget);
      }}
      onDragStart={() => drag.start(tab.key)}
      onDragOver={allowDrop}
      onDragEnd={() => drag.enter(null)}
      onDrop={() => drag.drop(index)}
      onAuxClick={(event) => {
        if (event.button !== 1 || !closable) return;
        event.preventDefault();
        void closeTabs(tab.key, 'this');
      }}
      // Without this, a middle click on Windows would start the browser's own scrolling.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
    >
      <a
        className={styles['link']}
        title={tab.detail === null ? undefined : title}
        href={`#${tab.href}`}
        draggable={false}
        aria-current={active ? 'page' : undefined}
        onKeyDown={(event) => onTabKey(event, tab)}
      >
        {tab.pinned && !isFixed(tab.key) && (
          <Icon of={PushpinFilled} className={styles['pin']} label={t('shell.tab_pinned')} />
        )}
        <span className={primitives['cut']}>{title}</span>
        {tab.unsaved && (
          <span className={styles['dot']} title={t('shell.tab_unsaved')}>
            <span className="sr-only">{t('shell.tab_unsaved')}</span>
          </span>
        )}
      </a>
      {closable && (
        <button
          type="button"
          tabIndex={-1}
          className={styles['close']}
          aria-label={t('shell.tab_close_named', { title })}
          onClick={() => void closeTabs(tab.key, 'this')}
        >
          <Icon of={CloseOutlined} />
        </button>
      )}
    </li>
  );
};

/** True if the tabs need more room than the bar has, so that a menu with all tabs is shown. */
const useOverflow = () => {
  const room = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const [row, box] = [list.current, room.current];
    if (row === null || box === null) return;
    const observer = new ResizeObserver((sizes) => {
      setOverflows(row.offsetWidth > box.clientWidth);
      // Keeps the active tab visible when the window becomes narrower or is rotated.
      if (sizes.some(({ target }) => target === box)) scrollToWhole(row);
    });
    observer.observe(box);
    observer.observe(row);
    return () => observer.disconnect();
  }, []);
  return { room, list, overflows };
};

/** The tab bar. Every tab is a link, so that its URL can be copied. The first tab always exists. */
export const TabBar = () => {
  const { t } = useTexts();
  const { tabs, active } = useTabs();
  const { room, list, overflows } = useOverflow();
  const [menu, setMenu] = useState<{ key: string; anchor: HTMLElement } | null>(null);
  const menuOf = tabs.find(({ key }) => key === menu?.key);
  const [all, setAll] = useState<HTMLElement | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const titleOf = useTabTitle();
  const drag: Drag = {
    over,
    start: setDragged,
    enter: setOver,
    drop: (index) => {
      if (dragged !== null) changeTabs((state) => move(state, dragged, index));
      setDragged(null);
      setOver(null);
    },
  };
  const reload = async (): Promise<void> => {
    if (active === null) return;
    await reloadTab(active);
    announce(t('shell.tab_reloaded'));
  };
  return (
    <nav className={styles['bar']} aria-label={t('shell.open_pages')}>
      <div
        ref={room}
        className={styles['room']}
        data-overflows={overflows || undefined}
        onWheel={(event) => event.currentTarget.scrollBy({ left: event.deltaY })}
      >
        <ul ref={list} className={styles['list']}>
          {tabs.map((tab, index) => (
            <TabItem
              key={tab.key}
              tab={tab}
              index={index}
              active={tab.key === active}
              drag={drag}
              onMenu={(key, anchor) => setMenu({ key, anchor })}
            />
          ))}
        </ul>
      </div>
      {menu && menuOf && (
        <TabMenu key={menu.key} tab={menuOf} anchor={menu.anchor} onClose={() => setMenu(null)} />
      )}
      {overflows && (
        <button
          type="button"
          className={styles['tool']}
          aria-label={t('shell.all_pages', { count: tabs.length })}
          aria-haspopup="menu"
          aria-expanded={all !== null}
          onClick={(event) => setAll(all ? null : event.currentTarget)}
        >
          <Icon of={DownOutlined} />
        </button>
      )}
      {all && (
        <Menu
          anchor={all}
          label={t('shell.open_pages')}
          groups={[
            tabs.map((tab) => ({
              key: tab.key,
              label: titleOf(tab),
              icon: tab.key === active && <Icon of={CheckOutlined} />,
              run: () => go(tab.href),
            })),
          ]}
          onClose={() => setAll(null)}
        />
      )}
      <button
        type="button"
        className={styles['tool']}
        aria-label={t('shell.tab_reload')}
        title={t('shell.tab_reload')}
        disabled={active === null}
        onClick={() => void reload()}
      >
        <Icon of={ReloadOutlined} />
      </button>
    </nav>
  );
};
