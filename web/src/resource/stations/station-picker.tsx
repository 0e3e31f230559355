import { useEffect, useState } from 'react';
import { expressStations } from '@waystation/contract/parcels/express-calls.ts';
import { useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import type { FieldProps } from '#ui/fields/field.tsx';
import { yuan } from '#ui/values/amounts.ts';

/** True if this user's role may have several stations. */
export const useSeveralStations = (): boolean => {
  const { role } = useUser();
  return role === 'super' || role === 'admin' || role === 'partner';
};

/** Returns `value` after it has not changed for `ms` milliseconds. */
export const useSettled = <T,>(value: T, ms: number): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};

interface Props extends FieldProps {
  /** The id of the station; null if no station is selected. */
  value: number | null;
  /** The name of the selected station, if it is already known. */
  shown?: string | undefined;
  onChange: (id: number | null, name: string) => void;
  clearable?: boolean;
  disabled?: boolean;
  /** The text while no station is selected. */
  placeholder?: string;
}

/**
 * Finds stations by name. It offers only stations for which the user may order, with the available
 * amount of each.
 */
export const StationPicker = ({
  value,
  shown,
  onChange,
  clearable = false,
  disabled = false,
  placeholder,
  ...field
}: Props) => {
  const { t } = useTexts();
  const [typed, setTyped] = useState('');
  const q = useSettled(typed, 200).trim();
  const { data } = useCall(
    expressStations,
    { ...(q !== '' && { q }) },
    { keep: true, quiet: true, staleTime: 30_000 },
  );
  const items = data?.items ?? [];
  const name = items.find(({ id }) => id === value)?.name ?? shown ?? '';
  return (
    <Combobox
      {...field}
      value={value === null ? '' : String(value)}
      shown={name}
      options={items.map((station) => ({
        value: String(station.id),
        label: station.name,
        note: station.has_amount === 1 ? yuan(station.available) : t('common.post_paid'),
      }))}
      onQuery={setTyped}
      onChange={(id) =>
        onChange(
          id === '' ? null : Number(id),
          items.find((station) => String(station.id) === id)?.name ?? '',
        )
      }
      placeholder={placeholder ?? t('common.station_placeholder')}
      clearable={clearable}
      disabled={disabled}
      name="station_id"
    />
  );
};
