import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { ComponentLibrary } from './overlay/component-library.tsx';
import styles from './segmented.module.css';

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  size?: 'small' | 'middle';
  /** True if the control is as wide as its container. */
  block?: boolean;
}

/**
 * A choice of one of a few options, shown side by side. An arrow key immediately selects the next
 * option.
 */
export const Segmented = <T extends string>({
  label,
  value,
  options,
  onChange,
  size = 'middle',
  block = false,
}: Props<T>) => (
  <ComponentLibrary>
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next)}
      className={styles['group']}
      data-size={size}
      data-block={block || undefined}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className={styles['item']}
          render={<span title={option.label} />}
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  </ComponentLibrary>
);
