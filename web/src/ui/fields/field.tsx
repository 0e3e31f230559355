import type { ReactNode } from 'react';
import styles from './field.module.css';

export interface FieldProps {
  label: string;
  error?: string | undefined;
  /** Shown under the control if the field has no error. */
  hint?: ReactNode;
  /**
   * True if the value was recognised with low confidence. The field is then tinted, because a
   * person should check it.
   */
  doubtful?: boolean | undefined;
  required?: boolean;
  /** An element at the end of the label's line, such as a pin button or a counter. */
  after?: ReactNode;
  /**
   * True if only screen readers read the label, because the position of the field already shows its
   * meaning.
   */
  bare?: boolean;
}

interface FrameProps extends FieldProps {
  id: string;
  children: ReactNode;
}

/** The value of `aria-describedby` for a control in a FieldFrame. */
export const describedBy = (id: string, { error, hint }: FieldProps): string | undefined =>
  error !== undefined ? `${id}-error` : hint !== undefined ? `${id}-hint` : undefined;

/** A label above a control, and its error or hint below the control. */
export const FieldFrame = ({
  id,
  label,
  error,
  hint,
  doubtful,
  required,
  after,
  bare,
  children,
}: FrameProps) => (
  <div
    className={styles['field']}
    data-bad={error !== undefined || undefined}
    data-doubtful={doubtful || undefined}
  >
    <div className={bare ? 'sr-only' : styles['head']}>
      <label htmlFor={id} id={`${id}-label`}>
        {label}
        {required && (
          <span className={styles['star']} aria-hidden>
            *
          </span>
        )}
      </label>
      {after}
    </div>
    {children}
    {error !== undefined ? (
      <p id={`${id}-error`} className={styles['error']}>
        {error}
      </p>
    ) : (
      hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )
    )}
  </div>
);
