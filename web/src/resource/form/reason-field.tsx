import { noteLength, reasonLength } from '@waystation/contract/limits.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import type { FieldProps } from '#ui/fields/field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';

const lengthOf = (text: string): number => [...text.trim()].length;

/** What is wrong with a text of at most so many characters. */
export const lengthProblem = (text: string, max: number, t: Say): string | undefined => (lengthOf(text) > max ? t('common.too_long', { max }) : undefined);

/** What is wrong with a reason. */
export const reasonProblem = (reason: string, t: Say): string | undefined =>
  lengthOf(reason) < reasonLength.min ? t('common.required') : lengthProblem(reason, reasonLength.max, t);

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

/** Why something is done: for the audit log, and for those it concerns. */
export const ReasonField = (props: Props) => {
  const { t } = useTexts();
  return <TextField label={t('statements.reason')} name="reason" required lines={2} max={reasonLength.max} {...props} />;
};

/** A description that may stay empty. */
export const NoteField = (props: Props) => {
  const { t } = useTexts();
  return <TextField label={t('common.description')} name="description" lines={2} max={noteLength} {...props} />;
};
