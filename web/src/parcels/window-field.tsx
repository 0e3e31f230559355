import type { ReactNode } from 'react';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import { errorText } from '#base/error-text.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { offeredWindows, windowTrouble } from './offered-windows.ts';
import { windowKey, windowOf, windowText } from './pickup-window.ts';

type Windows = OutputOf<typeof coverExpress>['pickup_windows'];

interface Props {
  label: string;
  name?: string;
  /** The chosen window as `from/until`. An empty string means a pickup as soon as possible. */
  value: string;
  /**
   * The window of a parcel that the carrier already has. The user can replace it by another window,
   * but cannot remove it.
   */
  own?: string;
  /**
   * The windows that the carrier offers. Null if the carrier offers none; undefined if the carrier
   * has not answered yet.
   */
  windows: Windows | undefined;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string;
  /** True if the field is shown but cannot be changed. */
  disabled?: boolean;
  after?: ReactNode;
}

/**
 * The choice of the pickup time: as soon as possible, or in a window that the carrier offers. Each
 * window shows how often the courier kept it.
 */
export const WindowField = ({
  label,
  name,
  value,
  own = '',
  windows,
  hint,
  onChange,
  ...field
}: Props) => {
  const { t, language, locale } = useTexts();
  const format = useFormat();
  const offered = offeredWindows(windows ?? [], locale);
  const isKnown = offered.some(({ history }) => history !== null);
  const options = offered.map((window) => ({
    value: windowKey(window),
    label: [
      windowText(window, locale),
      window.history &&
        t('store.pickup_kept', {
          kept: format.number(window.history.kept),
          missed: format.number(window.history.missed),
        }),
    ]
      .filter(Boolean)
      .join(' · '),
  }));
  // The chosen window and the present window of the parcel stay in the list. They stay even if the
  // carrier does not answer or no longer offers them.
  const missing = [...new Set([own, value])].flatMap((key) => {
    const window = windowOf(key);
    return window === null || options.some((option) => option.value === key)
      ? []
      : [{ value: key, label: windowText(window, locale) }];
  });
  const trouble = field.disabled ? null : windowTrouble(value, windows, own);
  return (
    <SelectField
      {...field}
      label={label}
      {...(name !== undefined && { name })}
      value={value === '' ? null : value}
      {...(own === '' && { none: t('store.pickup_soon') })}
      options={[...missing, ...options]}
      onChange={(next) => onChange(next ?? '')}
      error={field.error ?? (trouble ? errorText(trouble, undefined, language) : undefined)}
      hint={[hint, isKnown && t('store.pickup_kept_hint')].filter(Boolean).join(' · ') || undefined}
    />
  );
};
