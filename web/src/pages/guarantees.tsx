import { bulkGuarantees } from '@waystation/contract/shell/bulk.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import {
  getGuarantee,
  getTierPlan,
  guaranteeUsage,
  insuranceFee,
  listGuarantees,
  setGuaranteeStatus,
} from '@waystation/contract/money/guarantee.ts';
import type { Guarantee } from '@waystation/contract/money/guarantee.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { LoadedForm } from '#resource/form/loaded-form.tsx';
import { useKnownWords } from '#resource/record/known-words.ts';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStatusSwitch } from '#resource/record/use-status-switch.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { GuaranteeCard, useGuaranteeColumns } from './guarantees/columns.tsx';
import { GuaranteeDrawer } from './guarantees/guarantee-drawer.tsx';
import { GuaranteeForm } from './guarantees/guarantee-form.tsx';
import styles from './guarantees/guarantees.module.css';
import { InsuranceTiers } from './guarantees/insurance-tiers.tsx';

const shows = [listGuarantees, getGuarantee, insuranceFee, getTierPlan, listAudit] as const;

/**
 * The page of insurance (requirements §2, GuaranteeTable). It shows the insurance tiers, a chart of
 * their steps, and the fee for a typed value.
 */
export const Page = () => {
  const { t } = useTexts();
  const { statuses, status } = useKnownWords();
  const filters: ListFilter[] = [
    { key: 'status', kind: 'choice', label: status.label, options: statuses },
  ];
  const list = useList({
    name: 'guarantees',
    endpoint: listGuarantees,
    filters,
    sort: 'money',
    exportable: true,
    refreshes: shows,
  });
  const switching = useStatusSwitch({
    endpoint: setGuaranteeStatus,
    usage: guaranteeUsage,
    refreshes: shows,
  });
  const edit = (row: Guarantee): void => list.openForm(row.id);
  const columns = useGuaranteeColumns(
    [{ key: 'edit', label: t('lists.edit'), run: edit }],
    switching,
    list.open,
  );
  const saved = (row: Guarantee, again: boolean): void => {
    notify.success(
      t(list.form === 'new' ? 'lists.added' : 'lists.saved', {
        name: t('guarantees.up_to', { money: yuan(row.money) }),
      }),
    );
    void refresh(...shows);
    if (!again) list.closeForm();
  };
  return (
    <div className={styles['page']}>
      <ListPage
        list={list}
        title={t('menu.guarantees')}
        searches={t('guarantees.searches')}
        columns={columns}
        nameOf={({ money }) => yuan(money)}
        card={GuaranteeCard}
        create={{ label: t('guarantees.new'), run: () => list.openForm('new') }}
        keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
        bulk={<BulkSwitch list={list} endpoint={bulkGuarantees} />}
        hint={t('guarantees.hint')}
      >
        <GuaranteeDrawer list={list} switching={switching} />
        {list.form === 'new' && (
          <GuaranteeForm row={null} onSaved={saved} onClose={list.closeForm} />
        )}
        {typeof list.form === 'number' && (
          <LoadedForm
            key={list.form}
            endpoint={getGuarantee}
            id={list.form}
            title={t('lists.edit')}
            onClose={list.closeForm}
          >
            {(row) => <GuaranteeForm row={row} onSaved={saved} onClose={list.closeForm} />}
          </LoadedForm>
        )}
      </ListPage>
      <InsuranceTiers />
    </div>
  );
};
