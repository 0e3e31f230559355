import { errorText } from '@waystation/contract/errors.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import type { LabelFailure } from './labels.ts';
import styles from './printing.module.css';

interface Named {
  id: number;
  delivery_id: string | null;
  order_id: string;
}

/** The parcels that gave no label, each with its reason; the others were printed. */
export const FailureList = ({ rows, failures }: { rows: readonly Named[]; failures: readonly LabelFailure[] }) => {
  const { t, language } = useTexts();
  const numberOf = (id: number): string => {
    const row = rows.find((each) => each.id === id);
    return row?.delivery_id ?? row?.order_id ?? String(id);
  };
  return (
    <div className={styles['failures']}>
      <p className={styles['lead']}>
        {t('common.print.failed', { count: failures.length })}
        <CopyButton text={failures.map(({ id }) => numberOf(id)).join('\n')} label={t('common.print.copy_failed')} />
      </p>
      <ul tabIndex={0} aria-label={t('common.print.failed', { count: failures.length })}>
        {failures.map(({ id, reason }) => (
          <li key={id}>
            <Waybill number={numberOf(id)} copy={false} />
            <span>{errorText(reason.code, reason.params, language)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};

export const PrintFailures = ({ rows, failures, onClose }: { rows: readonly Named[]; failures: readonly LabelFailure[]; onClose: () => void }) => {
  const { t } = useTexts();
  return (
    <Modal
      open
      centered
      width={560}
      title={t('common.print.result_title')}
      onClose={onClose}
      footer={
        <Button type="primary" onClick={onClose} autoFocus>
          {t('common.close')}
        </Button>
      }
    >
      <p>{t('common.print.done', { count: rows.length - failures.length })}</p>
      <FailureList rows={rows} failures={failures} />
    </Modal>
  );
};
