import { getProject } from '@waystation/contract/network/project.ts';
import type { ProjectDetails } from '@waystation/contract/network/project.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { shownValue } from '#resource/record/record-words.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import styles from './projects.module.css';
import { useProjectWords } from './words.ts';

interface Line {
  key: string;
  label: string;
  left: string;
  right: string;
}

const templateOf = (project: ProjectDetails, key: string): string =>
  project.vouchers.find(({ provider, promise_id }) => `${provider} ${promise_id}` === key)
    ?.voucher_name ?? '';

/** Compares two freight schemes side by side. Differences are marked with colour and with text. */
export const CompareDialog = ({
  ids,
  onClose,
}: {
  ids: readonly [number, number];
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const words = useProjectWords();
  const one = useCall(getProject, { id: ids[0] }, { quiet: true, staleTime: 0 });
  const other = useCall(getProject, { id: ids[1] }, { quiet: true, staleTime: 0 });
  const error = one.error ?? other.error;
  const linesOf = (left: ProjectDetails, right: ProjectDetails): Line[] => {
    const promises = new Map(
      [...left.vouchers, ...right.vouchers].map((row) => [
        `${row.provider} ${row.promise_id}`,
        `${row.promise_name} ${row.promise_id}`,
      ]),
    );
    return [
      ...(['percent_type', 'status'] as const).map((key) => ({
        key,
        label: words[key].label,
        left: shownValue(words[key], left[key]),
        right: shownValue(words[key], right[key]),
      })),
      {
        key: 'stations',
        label: t('projects.stations'),
        left: String(left.station_count),
        right: String(right.station_count),
      },
      ...[...promises].map(([key, label]) => ({
        key,
        label,
        left: templateOf(left, key) || t('projects.not_offered'),
        right: templateOf(right, key) || t('projects.not_offered'),
      })),
    ];
  };
  return (
    <Modal open title={t('projects.compare')} onClose={onClose} width={720} centered>
      {error !== null && (
        <ErrorPanel
          error={error}
          onRetry={() => void Promise.all([one.refetch(), other.refetch()])}
        />
      )}
      {one.data && other.data && (
        <div
          className={styles['scroll']}
          role="region"
          tabIndex={0}
          aria-label={t('projects.compare')}
        >
          <table className={styles['preview']}>
            <thead>
              <tr>
                <th scope="col">{t('lists.field')}</th>
                <th scope="col">{one.data.name}</th>
                <th scope="col">{other.data.name}</th>
              </tr>
            </thead>
            <tbody>
              {linesOf(one.data, other.data).map(({ key, label, left, right }) => (
                <tr key={key} data-differs={left !== right || undefined}>
                  <th scope="row">
                    {label}
                    {left !== right && (
                      <span className={styles['warn']}>{t('projects.differs')}</span>
                    )}
                  </th>
                  <td>{left}</td>
                  <td>{right}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Modal>
  );
};
