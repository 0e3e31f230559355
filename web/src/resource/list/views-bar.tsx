import { DownOutlined, PlusOutlined, TeamOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import { listViews } from '@waystation/contract/shell/views.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import { useCall } from '#base/query.ts';
import { useIdle } from '#base/idle.ts';
import { useTexts } from '#base/texts.ts';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { defaultSize, viewSearch, withoutFilters } from './list-filters.ts';
import type { Arranged } from './column-arrangement.ts';
import type { AnyList } from './use-list.ts';
import { useViewChanges } from './use-view-changes.ts';
import styles from './views-bar.module.css';

/** The code of this dialog is loaded when the user first saves or edits a view. */
const ViewDialog = lazyComponent(async () => (await import('./view-dialog.tsx')).ViewDialog);

/** The query of a saved view. Every value is a text, as in the URL. */
const searchOf = (view: SavedView): Record<string, string> =>
  Object.fromEntries(Object.entries(view.search).map(([name, value]) => [name, String(value)]));

const sorted = (search: Record<string, string>): string =>
  JSON.stringify(Object.entries(search).toSorted(([a], [b]) => a.localeCompare(b)));

interface ItemProps {
  view: SavedView;
  isCurrent: boolean;
  /**
   * True if the filters, the sort order or the columns of the list differ from those of the current
   * view.
   */
  differs: boolean;
  menu: { isOpen: boolean; open: (anchor: HTMLElement | null) => void };
  onShow: () => void;
}

/** A saved view. It has a menu if it is the current view and belongs to the user. */
const ViewItem = ({ view, isCurrent, differs, menu, onShow }: ItemProps) => {
  const { t } = useTexts();
  const more = useRef<HTMLButtonElement>(null);
  return (
    <li className={styles['item']}>
      <button
        type="button"
        className={styles['view']}
        aria-current={isCurrent || undefined}
        title={view.mine === 1 ? view.title : t('lists.view_by', { name: view.owner_name })}
        onClick={onShow}
      >
        {view.shared_with !== null && <Icon of={TeamOutlined} label={t('lists.view_shared')} />}
        {view.title}
        {isCurrent && differs && (
          <span className={styles['differs']}>{t('lists.view_changed')}</span>
        )}
      </button>
      {isCurrent && view.mine === 1 && (
        <button
          ref={more}
          type="button"
          className={styles['more']}
          aria-haspopup="menu"
          aria-expanded={menu.isOpen}
          aria-label={t('lists.more_for', { name: view.title })}
          onClick={() => menu.open(more.current)}
        >
          <Icon of={DownOutlined} />
        </button>
      )}
    </li>
  );
};

/**
 * The saved views of a list. They are the user's own views and the views that are shared with the
 * user's role. The URL contains the open view as `saved`.
 */
export const ViewsBar = <R,>({
  list,
  arranged,
}: {
  list: Pick<AnyList, 'name' | 'search' | 'setSearch' | 'filters' | 'place'>;
  arranged: Arranged<R>;
}) => {
  const { t } = useTexts();
  const idle = useIdle((state) => state.idle);
  const { data } = useCall(
    listViews,
    idle || list.search['saved'] !== undefined ? { list: list.name } : null,
    { quiet: true, staleTime: 60_000 },
  );
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [dialog, setDialog] = useState<'new' | 'edit' | null>(null);
  const changes = useViewChanges();
  const views = data?.items ?? [];
  const current = views.find(({ id }) => String(id) === list.search['saved']);
  const shown = viewSearch(list.search, list.filters);
  const differs = current !== undefined && sorted(shown) !== sorted(searchOf(current));
  const show = (view: SavedView | null): void => {
    const nothing = {
      ...withoutFilters(list.filters),
      q: undefined,
      sort: undefined,
      size: undefined,
      tab: undefined,
    };
    list.setSearch({ ...nothing, ...(view && searchOf(view)), saved: view?.id });
    if (view?.columns) arranged.take(view.columns);
  };
  const actions: RowAction<SavedView>[] = [
    {
      key: 'update',
      label: t('lists.view_update'),
      visible: () => differs,
      run: (view) =>
        void changes.replace(view, shown, view.columns === null ? null : arranged.stored),
    },
    { key: 'edit', label: t('lists.view_edit'), run: () => setDialog('edit') },
    {
      key: 'remove',
      label: t('lists.view_remove'),
      danger: true,
      run: (view) =>
        void changes.remove(view).then((gone) => gone && list.setSearch({ saved: undefined })),
    },
  ];
  const isPlain = current === undefined && Object.keys(shown).length === 0;
  return (
    <nav className={styles['bar']} aria-label={t('lists.views')}>
      <ul>
        <li>
          <button
            type="button"
            className={styles['view']}
            aria-current={isPlain || undefined}
            onClick={() => show(null)}
          >
            {t('lists.view_all')}
          </button>
        </li>
        {views.map((view) => (
          <ViewItem
            key={view.id}
            view={view}
            isCurrent={view.id === current?.id}
            differs={differs}
            menu={{ isOpen: anchor !== null, open: setAnchor }}
            onShow={() => show(view)}
          />
        ))}
        <li>
          <button
            type="button"
            className={styles['add']}
            title={t('lists.view_save')}
            aria-label={t('lists.view_save')}
            disabled={list.place.size === defaultSize && isPlain && !arranged.changed}
            onClick={() => setDialog('new')}
          >
            <Icon of={PlusOutlined} />
          </button>
        </li>
      </ul>
      {anchor && current && (
        <ActionMenu
          anchor={anchor}
          row={current}
          actions={actions}
          label={t('lists.more_for', { name: current.title })}
          onClose={() => setAnchor(null)}
        />
      )}
      {dialog !== null && (
        <ViewDialog
          view={dialog === 'edit' ? (current ?? null) : null}
          hasColumns={arranged.changed}
          onClose={() => setDialog(null)}
          onSave={async ({ title, shared_with, columns }) => {
            const saved =
              dialog === 'edit' && current
                ? await changes.edit(current, { title, shared_with })
                : await changes.create({
                    list: list.name,
                    title,
                    shared_with,
                    search: shown,
                    columns: columns ? arranged.stored : null,
                  });
            setDialog(null);
            if (dialog === 'new') list.setSearch({ saved: saved.id });
          }}
        />
      )}
    </nav>
  );
};
