import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import type { ChangedCell } from '@waystation/contract/money/voucher.ts';
import { useTexts } from '#base/texts.ts';
import styles from './editor.module.css';
import { useAreaName, useCellWords } from './words.ts';

const most = 400;

/** Lists the cells that differ between two states of a template. */
export const ChangedCells = ({ cells }: { cells: readonly ChangedCell[] }) => {
  const { t, language } = useTexts();
  const areaName = useAreaName();
  const words = useCellWords();
  const place = ({ senders, area }: ChangedCell): string =>
    [
      senders.map((code) => provinceName(code, language)).join(t('vouchers.and')),
      area === '' ? t('vouchers.whole') : areaName(area),
    ]
      .filter(Boolean)
      .join(' → ');
  if (cells.length === 0) return <p className={styles['quiet']}>{t('vouchers.same')}</p>;
  return (
    <div
      className={styles['table']}
      tabIndex={0}
      role="region"
      aria-label={t('vouchers.cells_changed')}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t('vouchers.region')}</th>
            <th scope="col">{t('vouchers.cell')}</th>
            <th scope="col" data-end>
              {t('common.before')}
            </th>
            <th scope="col" data-end>
              {t('common.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cells.slice(0, most).map((cell) => (
            <tr key={`${cell.senders.join()} ${cell.area} ${cell.field}`}>
              <th scope="row">{place(cell)}</th>
              <td>{words.field(cell.field)}</td>
              <td data-end>{words.value(cell.field, cell.before)}</td>
              <td data-end>
                <strong>{words.value(cell.field, cell.after)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {cells.length > most && (
        <p className={styles['quiet']}>
          {t('vouchers.more_cells', { count: cells.length - most })}
        </p>
      )}
    </div>
  );
};
