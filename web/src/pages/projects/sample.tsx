import { useState } from 'react';
import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import { useTexts } from '#base/texts.ts';
import { AddressCascader } from '#ui/fields/address-cascader.tsx';
import { MoneyField, WeightField } from '#ui/fields/number-fields.tsx';
import styles from './projects.module.css';

export interface Sample {
  place: PlaceNames;
  weight: number | null;
  insured: number | null;
}

/**
 * The destination, weight and insured value of a sample parcel. Users try a freight scheme with it.
 */
export const useSample = () =>
  useState<Sample>({
    place: { province: '广东省', city: '广州市', county: '天河区' },
    weight: 1_000,
    insured: null,
  });

/** The sample as the endpoints need it; null as long as a field is missing or invalid. */
export const sampleInput = ({ place, weight, insured }: Sample) => {
  if (
    place.city === '' ||
    weight === null ||
    Number.isNaN(weight) ||
    weight <= 0 ||
    Number.isNaN(insured) ||
    (insured ?? 0) < 0
  )
    return null;
  return {
    receive_province: place.province,
    receive_city: place.city,
    weight,
    guarantee_value_amount: insured ?? 0,
  };
};

export const SampleFields = ({
  sample,
  onChange,
}: {
  sample: Sample;
  onChange: (sample: Sample) => void;
}) => {
  const { t } = useTexts();
  return (
    <div className={styles['sample']}>
      <AddressCascader
        label={t('projects.to')}
        value={sample.place}
        onChange={(place) => onChange({ ...sample, place })}
      />
      <WeightField
        label={t('projects.weight')}
        value={sample.weight}
        onChange={(weight) => onChange({ ...sample, weight })}
      />
      <MoneyField
        label={t('projects.insured')}
        value={sample.insured}
        onChange={(insured) => onChange({ ...sample, insured })}
      />
    </div>
  );
};
