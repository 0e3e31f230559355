import type { KeyboardEvent } from 'react';
import { placeNames } from '@waystation/contract/divisions.ts';
import type { Divisions, PlaceNames } from '@waystation/contract/divisions.ts';
import { useTexts } from '#base/texts.ts';
import { AddressCascader, placeText } from '#ui/fields/address-cascader.tsx';
import { Button } from '#ui/button.tsx';
import { useDivisions } from '#ui/fields/divisions.ts';
import { isAmbiguous } from '#parcels/orders/form.ts';
import styles from './store.module.css';

const mostKeys = 9;

/** The places that a county's name alone may mean, as far as its province is known. */
const candidatesOf = (divisions: Divisions | null, { province, county }: PlaceNames): PlaceNames[] =>
  (divisions?.all ?? [])
    .filter(({ level, name }) => level === 'county' && name === county)
    .map(placeNames)
    .filter((place) => province === '' || place.province === province)
    .slice(0, mostKeys);

interface Props {
  label: string;
  name: string;
  value: PlaceNames;
  doubtful: boolean | undefined;
  error: string | undefined;
  /** `picked`: the user chose one of several candidates. */
  onChange: (place: PlaceNames, picked: boolean) => void;
}

/** Province, city and county; where a county's name was read that several cities have, they stand below it under the keys 1 to 9. */
export const PlaceField = ({ label, name, value, doubtful, error, onChange }: Props) => {
  const { t } = useTexts();
  const ambiguous = isAmbiguous({ place: value });
  const { divisions } = useDivisions(ambiguous);
  const candidates = ambiguous ? candidatesOf(divisions, value) : [];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing || !/^[1-9]$/.test(event.key)) return;
    const place = candidates[Number(event.key) - 1];
    if (place === undefined) return;
    event.preventDefault();
    onChange(place, true);
  };
  return (
    <div role="group" aria-label={label} className={styles['place']} onKeyDown={onKeyDown}>
      <AddressCascader
        label={label}
        name={name}
        value={value}
        onChange={(place) => onChange(place, false)}
        required
        doubtful={doubtful}
        error={error}
        hint={candidates.length > 0 ? t('store.place_several', { county: value.county }) : undefined}
      />
      {candidates.length > 0 && (
        <div className={styles['candidates']}>
          {candidates.map((place, index) => (
            <Button key={placeText(place)} size="small" tabIndex={-1} onClick={() => onChange(place, true)}>
              <kbd>{index + 1}</kbd> {placeText(place)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
};
