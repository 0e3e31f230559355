import type { KeyboardEvent } from 'react';
import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import { errorText } from '#base/error-text.ts';
import { useTexts } from '#base/texts.ts';
import { AddressCascader, placeText } from '#ui/fields/address-cascader.tsx';
import { Button } from '#ui/button.tsx';
import { isUnchosen } from './use-places.ts';
import type { PlaceProblem } from './use-places.ts';
import styles from './store.module.css';

interface Props {
  label: string;
  name: string;
  value: PlaceNames;
  problem: PlaceProblem | null;
  doubtful: boolean | undefined;
  error: string | undefined;
  /** `picked` is true if several places were possible and the user chose one of them. */
  onChange: (place: PlaceNames, picked: boolean) => void;
}

/**
 * The field for province, city and county. If they contradict one another, the possible places are
 * listed under the field, each with a key from 1 to 9.
 */
export const PlaceField = ({ label, name, value, problem, doubtful, error, onChange }: Props) => {
  const { t, language } = useTexts();
  const places = problem?.places ?? [];
  const wrong =
    problem === null || isUnchosen(problem.reason)
      ? undefined
      : errorText(problem.reason.code, problem.reason.params, language);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.nativeEvent.isComposing ||
      !/^[1-9]$/.test(event.key)
    )
      return;
    const place = places[Number(event.key) - 1];
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
        error={wrong ?? error}
      />
      {places.length > 0 && (
        <div className={styles['candidates']} role="group" aria-label={t('store.place_keys')}>
          <span aria-hidden>{t('store.place_keys')}</span>
          {places.map((place, index) => (
            <Button
              key={placeText(place)}
              size="small"
              tabIndex={-1}
              onClick={() => onChange(place, true)}
            >
              <kbd>{index + 1}</kbd> {placeText(place)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
};
