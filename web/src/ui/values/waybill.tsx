import { useTexts } from '#base/texts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { CodeText } from './code-text.tsx';
import { phoneGroups, waybillGroups } from './grouped.ts';
import styles from './numbers.module.css';

const Groups = ({ groups }: { groups: readonly string[] }) => (
  <span className={styles['grouped']}>
    {groups.map((group, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- the groups of one number never move
      <span key={index}>{group}</span>
    ))}
  </span>
);

/**
 * A waybill number in the groups in which people read it. A copied or selected number contains no
 * gaps.
 */
export const Waybill = ({ number, copy = true }: { number: string; copy?: boolean }) => {
  const groups = <Groups groups={waybillGroups(number)} />;
  return copy ? <CodeText code={number}>{groups}</CodeText> : groups;
};

/**
 * A phone number in the groups in which people read it. A masked number is shown in the same
 * groups.
 */
export const Phone = ({ number, copy = false }: { number: string; copy?: boolean }) => {
  const { t } = useTexts();
  const groups = <Groups groups={phoneGroups(number)} />;
  if (!copy || number.includes('*') || number === '') return groups;
  return (
    <span className={styles['line']}>
      {groups}
      <CopyButton text={number} label={t('common.copy_phone')} />
    </span>
  );
};
