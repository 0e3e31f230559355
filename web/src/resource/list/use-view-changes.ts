import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { createView, editView, listViews, removeView } from '@waystation/contract/shell/views.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import { call } from '#base/call.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';

interface New {
  list: string;
  title: string;
  shared_with: Role | null;
  search: Record<string, string>;
  columns: unknown;
}

/**
 * Saves, renames, shares and removes views. If the server refuses a name, the caller shows the
 * reason.
 */
export const useViewChanges = () => {
  const { t } = useTexts();
  const create = async (view: New): Promise<OutputOf<typeof createView>> => {
    const saved = await call(createView, view);
    await refresh(listViews);
    notify.success(t('lists.view_saved', { name: saved.title }));
    return saved;
  };
  const edit = async (
    { id, version }: SavedView,
    changes: { title: string; shared_with: Role | null },
  ): Promise<SavedView> => {
    const saved = await call(editView, { id, version, ...changes });
    await refresh(listViews);
    notify.success(t('lists.view_saved', { name: saved.title }));
    return saved;
  };
  const replace = async (
    { id, version }: SavedView,
    search: Record<string, string>,
    columns: unknown,
  ): Promise<void> => {
    try {
      const saved = await call(editView, { id, version, search, columns });
      notify.success(t('lists.view_saved', { name: saved.title }));
    } catch (error) {
      notify.failure(error);
    }
    await refresh(listViews);
  };
  const remove = async ({ id, title }: SavedView): Promise<boolean> => {
    if (
      !(await confirmed({
        title: t('lists.view_remove_title', { name: title }),
        ok: t('lists.view_remove'),
        danger: true,
      }))
    )
      return false;
    try {
      await call(removeView, { id });
      await refresh(listViews);
      return true;
    } catch (error) {
      notify.failure(error);
      return false;
    }
  };
  return { create, edit, replace, remove };
};
