import { lazy } from 'react';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import { getStationSetup, listStationSetups } from '@waystation/contract/network/station-setup.ts';
import { getStation, listStations } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import type { StationTree } from './station-tree.ts';
import type { useSetupGuide } from './use-setup-guide.ts';

const StationForm = lazy(async () => ({
  default: (await import('./station-form.tsx')).StationForm,
}));
const MoveDialog = lazy(async () => ({
  default: (await import('./move-dialog.tsx')).MoveDialog,
}));
const TopUpDialog = lazy(async () => ({
  default: (await import('#money/top-up-dialog.tsx')).TopUpDialog,
}));

export const shows = [
  listStations,
  getStation,
  listAudit,
  listStationSetups,
  getStationSetup,
] as const;

interface MoveAndTopUpProps {
  office: boolean;
  moving: Station | null;
  topUp: Pick<Station, 'id' | 'name'> | null;
  onMoved: () => void;
  onToppedUp: () => void;
}

/** The dialogs to change a station's parent and to top up its balance. */
export const MoveAndTopUp = ({ office, moving, topUp, onMoved, onToppedUp }: MoveAndTopUpProps) => (
  <>
    {moving && (
      <MoveDialog
        key={moving.id}
        row={moving}
        office={office}
        onMoved={() => {
          onMoved();
          void refresh(...shows);
        }}
        onClose={onMoved}
      />
    )}
    <TopUpDialog
      request={topUp && { station: { id: topUp.id, name: topUp.name } }}
      onClose={() => {
        onToppedUp();
        void refresh(...shows);
      }}
    />
  </>
);

interface FormsProps {
  list: List<Station>;
  /** Null if the stations are shown as a flat list. */
  tree: Pick<StationTree, 'show'> | null;
  parent: Station | null;
  guide: ReturnType<typeof useSetupGuide>;
  builds: boolean;
}

/** The form to create a station, or to edit the chosen station. */
export const Forms = ({ list, tree, parent, guide, builds }: FormsProps) => {
  const { t } = useTexts();
  const closeNew = (): void => list.setSearch({ form: undefined, setup: undefined });
  const saved = (row: Station, again: boolean): void => {
    notify.success(t(list.form === 'new' ? 'lists.added' : 'lists.saved', { name: row.name }));
    void refresh(...shows);
    if (list.form === 'new' && row.parent_id !== null) tree?.show(row.parent_id);
    if (again) return;
    if (guide.isNew) guide.saved(row);
    else list.closeForm();
  };
  return (
    <>
      {list.form === 'new' && builds && (
        <StationForm
          key={parent?.id ?? 0}
          row={null}
          parent={parent}
          guided={guide.isNew}
          onSaved={saved}
          onClose={closeNew}
        />
      )}
      {typeof list.form === 'number' && (
        <LoadedForm
          key={list.form}
          endpoint={getStation}
          id={list.form}
          title={t('lists.edit')}
          onClose={list.closeForm}
        >
          {(row) => (
            <StationForm row={row} parent={null} onSaved={saved} onClose={list.closeForm} />
          )}
        </LoadedForm>
      )}
    </>
  );
};
