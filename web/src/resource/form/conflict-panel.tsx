import { useId, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { shownValue } from '#resource/record/record-words.ts';
import type { RecordWords } from '#resource/record/record-words.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './form.module.css';
import type { Side } from './merge.ts';

interface Props {
  differences: readonly { key: string; side: Side; clash: boolean }[];
  mine: Readonly<Record<string, unknown>>;
  theirs: Readonly<Record<string, unknown>>;
  words: RecordWords;
  busy: boolean;
  onSave: (sides: Partial<Record<string, Side>>) => void;
  onBack: () => void;
}

/**
 * Shown if another user saved first. It shows both versions side by side, and the user chooses for
 * each field the value to keep.
 */
export const ConflictPanel = ({
  differences,
  mine,
  theirs,
  words,
  busy,
  onSave,
  onBack,
}: Props) => {
  const { t } = useTexts();
  const group = useId();
  const [sides, setSides] = useState<Partial<Record<string, Side>>>(() =>
    Object.fromEntries(differences.map(({ key, side }) => [key, side])),
  );
  return (
    <section className={styles['conflict']} aria-label={t('lists.conflict')}>
      <Notice tone="warn">
        {t(differences.length === 0 ? 'lists.conflict_same' : 'lists.conflict_hint')}
      </Notice>
      {differences.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('lists.field')}</th>
              <th scope="col">{t('lists.mine')}</th>
              <th scope="col">{t('lists.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ key, clash }) => (
              <tr key={key} data-clash={clash || undefined}>
                <th scope="row">{words[key]?.label ?? key}</th>
                {(['mine', 'theirs'] as const).map((side) => {
                  const value = shownValue(words[key], (side === 'mine' ? mine : theirs)[key]);
                  return (
                    <td key={side} data-chosen={sides[key] === side || undefined}>
                      <label>
                        <input
                          type="radio"
                          name={`${group}-${key}`}
                          checked={sides[key] === side}
                          onChange={() => setSides((now) => ({ ...now, [key]: side }))}
                          aria-label={t(side === 'mine' ? 'lists.take_mine' : 'lists.take_theirs', {
                            field: words[key]?.label ?? key,
                            value,
                          })}
                        />
                        <span>{value}</span>
                      </label>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={primitives['inline']}>
        <Button type="primary" loading={busy} onClick={() => onSave(sides)}>
          {t('lists.save_merged')}
        </Button>
        <Button onClick={onBack}>{t('lists.back_to_form')}</Button>
      </div>
    </section>
  );
};
