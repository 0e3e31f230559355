import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { DialogButtons } from '#ui/overlay/form-dialog.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import type { Unprinted } from './portions.ts';
import type { Printable } from './printable.ts';
import styles from './printing.module.css';

interface Named {
  id: number;
  delivery_id: string | null;
  order_id: string;
}

/**
 * The list of the parcels that were not printed, each with its reason. All other parcels were
 * printed.
 */
export const FailureList = ({
  rows,
  failures,
}: {
  rows: readonly Named[];
  failures: readonly Unprinted[];
}) => {
  const { t } = useTexts();
  const numberOf = (id: number): string => {
    const row = rows.find((each) => each.id === id);
    return row?.delivery_id ?? row?.order_id ?? String(id);
  };
  return (
    <div className={styles['failures']}>
      <p className={styles['lead']}>
        {t('common.print.failed', { count: failures.length })}
        <CopyButton
          text={failures.map(({ id }) => numberOf(id)).join('\n')}
          label={t('common.print.copy_failed')}
        />
      </p>
      <ul tabIndex={0} aria-label={t('common.print.failed', { count: failures.length })}>
        {failures.map(({ id, words }) => (
          <li key={id}>
            <Waybill number={numberOf(id)} copy={false} />
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};

interface Props {
  rows: readonly Printable[];
  printed: number;
  unprinted: readonly Unprinted[];
  onClose: () => void;
  /** Sends the unprinted labels to the printer again. */
  onAgain: (rows: readonly Printable[]) => void;
}

/** Shows the result of a print in which some labels failed. */
export const PrintFailures = ({ rows, printed, unprinted, onClose, onAgain }: Props) => {
  const { t } = useTexts();
  const again = rows.filter(({ id }) => unprinted.some((each) => each.id === id && each.retry));
  return (
    <Modal
      open
      centered
      width={560}
      title={t('common.print.result_title')}
      onClose={onClose}
      footer={
        <DialogButtons>
          <Button onClick={onClose} autoFocus={again.length === 0}>
            {t('common.close')}
          </Button>
          {again.length > 0 && (
            <Button type="primary" onClick={() => onAgain(again)} autoFocus>
              {t('common.print.again_failed', { count: again.length })}
            </Button>
          )}
        </DialogButtons>
      }
    >
      <p>{t('common.print.done', { count: printed })}</p>
      <FailureList rows={rows} failures={unprinted} />
    </Modal>
  );
};
