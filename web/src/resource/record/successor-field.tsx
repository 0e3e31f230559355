import { SelectField } from '#ui/fields/choice-fields.tsx';
import type { useSubmit } from '#shell/submit/use-submit.ts';

interface Props {
  label: string;
  /** The text that is shown if there are no options. */
  none: string;
  /** The options to choose from; undefined while they are being read. */
  options: readonly { value: number; label: string }[] | undefined;
  value: number | null;
  onChange: (id: number | null) => void;
  sending: Pick<ReturnType<typeof useSubmit>, 'errors' | 'clearErrors'>;
}

/**
 * A field for the row that replaces another row. It is needed if the other row is in use and shall
 * be disabled.
 */
export const SuccessorField = ({ label, none, options, value, onChange, sending }: Props) => {
  if (options === undefined) return null;
  if (options.length === 0) return <p>{none}</p>;
  return (
    <SelectField
      label={label}
      name="successor_id"
      required
      value={value}
      options={options}
      onChange={(next) => {
        sending.clearErrors('successor_id');
        onChange(next);
      }}
      error={sending.errors['successor_id']}
    />
  );
};
