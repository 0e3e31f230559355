import { projectChoices } from '@waystation/contract/network/project.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import styles from './projects.module.css';

interface Props {
  value: readonly number[];
  onChange: (value: number[]) => void;
  error: string | undefined;
}

type Offered = OutputOf<typeof projectChoices>['promises'][number];

/**
 * The field that assigns a template to each delivery time. A delivery time without a template is
 * not offered by the scheme.
 */
export const MatrixField = ({ value, onChange, error }: Props) => {
  const { t } = useTexts();
  const { provider } = useKnownWords();
  const {
    data,
    error: failed,
    refetch,
  } = useCall(projectChoices, {}, { quiet: true, staleTime: 0 });
  if (failed) return <ErrorPanel error={failed} onRetry={refetch} />;
  if (!data) return <p aria-busy>{t('shell.loading')}</p>;
  const optionsOf = ({ vouchers }: Offered) =>
    vouchers
      // Offers an unavailable template only if it is already assigned.
      .filter(
        ({ id, status, published }) => (status === 1 && published === 1) || value.includes(id),
      )
      .map(({ id, name, status, published }) => ({
        value: id,
        label: status === 1 && published === 1 ? name : t('projects.not_usable', { name }),
      }));
  return (
    <fieldset className={styles['matrix']} data-name="voucher_ids" data-span>
      <legend>{t('projects.matrix')}</legend>
      <p className={styles['quiet']}>{t('projects.matrix_hint')}</p>
      {error !== undefined && <p className={styles['bad']}>{error}</p>}
      {data.promises.map((promise) => {
        const options = optionsOf(promise);
        const own = promise.vouchers.map(({ id }) => id);
        return (
          <SelectField
            key={`${promise.provider} ${promise.promise_id}`}
            label={`${promise.promise_name} · ${provider.show(promise.provider)} ${promise.promise_id}${promise.status === 0 ? ` · ${t('lists.disabled')}` : ''}`}
            value={value.find((id) => own.includes(id)) ?? null}
            options={options}
            none={options.length === 0 ? t('projects.no_template') : t('projects.not_offered')}
            disabled={options.length === 0}
            onChange={(id) =>
              onChange(
                [
                  ...value.filter((one) => !own.includes(one)),
                  ...(id === null ? [] : [id]),
                ].toSorted((a, b) => a - b),
              )
            }
          />
        );
      })}
    </fieldset>
  );
};
