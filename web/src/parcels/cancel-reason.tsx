import { cancelReasonLength } from '@waystation/contract/base/limits.ts';
import { useTexts } from '#base/texts.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './parcel-dialogs.module.css';

interface Props {
  reason: string;
  onChange: (reason: string) => void;
  error: string | undefined;
  disabled: boolean;
}

/** The field for the reason of a cancellation, with the usual reasons to choose from. */
export const CancelReason = ({ reason, onChange, error, disabled }: Props) => {
  const { t } = useTexts();
  const choices = [
    t('common.cancelling.choice_customer'),
    t('common.cancelling.choice_wrong'),
    t('common.cancelling.choice_twice'),
  ];
  return (
    <>
      <TextField
        label={t('common.cancelling.reason')}
        value={reason}
        onChange={onChange}
        required
        max={cancelReasonLength}
        autoFocus
        disabled={disabled}
        error={error}
      />
      <div className={styles['choices']} role="group" aria-label={t('common.cancelling.usual')}>
        {choices.map((choice) => (
          <button key={choice} type="button" onClick={() => onChange(choice)}>
            {choice}
          </button>
        ))}
      </div>
    </>
  );
};
