import { priceListRoles } from '@waystation/contract/money/price-list.ts';
import type { PriceListSheet } from '@waystation/contract/money/price-list.ts';
import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import { useTexts } from '#base/texts.ts';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import styles from './editor.module.css';
import type { ColumnChoice, SheetChoice } from './price-list.ts';

interface Props {
  sheet: PriceListSheet;
  choice: SheetChoice;
  /** True if the file also has other sheets. */
  isOneOfMany: boolean;
  onChange: (choice: SheetChoice) => void;
}

const Columns = ({ sheet, choice, onChange }: Omit<Props, 'isOneOfMany'>) => {
  const { t } = useTexts();
  return (
    <ul className={styles['listColumns']}>
      {sheet.columns.map(({ title, samples, ranged }, at) => {
        const chosen = choice.roles[at] ?? null;
        const name = `${columnLetters(at)} · ${title || '—'}`;
        const options = priceListRoles
          .filter((role) => ranged === 1 || (role !== 'range' && role !== 'range_step'))
          .map((value) => ({
            value: value as ColumnChoice & string,
            label: t(`vouchers.list.role.${value}`),
          }));
        return (
          <li key={name} data-chosen={(chosen !== null && chosen !== 'none') || undefined}>
            <strong title={title}>{name}</strong>
            <span className={styles['quiet']}>{samples.join(' · ') || '—'}</span>
            <SelectField
              label={t('vouchers.list.of', { title: name })}
              bare
              value={chosen}
              options={[...options, { value: 'none', label: t('vouchers.list.none') }]}
              error={chosen === null ? t('vouchers.list.ask') : undefined}
              onChange={(role) => onChange({ ...choice, roles: choice.roles.with(at, role) })}
            />
          </li>
        );
      })}
    </ul>
  );
};

/**
 * A sheet of a price list, with controls for reading or ignoring it, for its row of titles, and for
 * the meaning of its columns.
 */
export const ListSheet = (props: Props) => {
  const { sheet, choice, isOneOfMany, onChange } = props;
  const { t } = useTexts();
  return (
    <section className={styles['panel']} aria-label={sheet.name || undefined}>
      {isOneOfMany && (
        <SwitchField
          label={t('vouchers.list.sheet', { name: sheet.name })}
          value={choice.used}
          words={t('vouchers.list.rows', { count: sheet.rows })}
          onChange={(used) => onChange({ ...choice, used })}
        />
      )}
      {(choice.used === 1 || !isOneOfMany) && (
        <>
          <SelectField
            label={t('vouchers.list.titles')}
            value={choice.header_at}
            options={sheet.head.map(({ line, text }, value) => ({
              value,
              label: t('vouchers.list.title_row', { line, text }),
            }))}
            onChange={(header_at) =>
              header_at !== null && onChange({ ...choice, used: 1, header_at, roles: [] })
            }
          />
          {choice.roles.length > 0 ? (
            <Columns sheet={sheet} choice={choice} onChange={onChange} />
          ) : (
            <p className={styles['quiet']}>{t('vouchers.list.titles_changed')}</p>
          )}
        </>
      )}
    </section>
  );
};
