import { noteLength, reasonLength } from '@waystation/contract/base/limits.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import type { FieldProps } from '#ui/fields/field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';

const lengthOf = (text: string): number => [...text.trim()].length;

/** The error message for a text that is longer than `max` characters; otherwise undefined. */
export const lengthProblem = (text: string, max: number, t: Say): string | undefined =>
  lengthOf(text) > max ? t('common.too_long', { max }) : undefined;

/** The error text if a reason is too short or too long. Undefined if it is accepted. */
export const reasonProblem = (reason: string, t: Say): string | undefined =>
  lengthOf(reason) < reasonLength.min
    ? t('common.required')
    : lengthProblem(reason, reasonLength.max, t);

interface Props extends Omit<FieldProps, 'label'> {
  label?: string;
  name?: string;
  lines?: number;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  disabled?: boolean;
  autoFocus?: boolean;
}

/** A field for the reason of an action. The audit log and the affected users show the reason. */
export const ReasonField = (props: Props) => {
  const { t } = useTexts();
  return (
    <TextField
      label={t('statements.reason')}
      name="reason"
      required
      lines={2}
      max={reasonLength.max}
      {...props}
    />
  );
};

/** A field for an optional note. */
export const NoteField = (props: Props) => {
  const { t } = useTexts();
  return (
    <TextField
      label={t('common.description')}
      name="description"
      lines={2}
      max={noteLength}
      {...props}
    />
  );
};
