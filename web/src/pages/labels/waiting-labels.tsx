import { useId } from 'react';
import { useFormat } from '#base/format.ts';
import { Button } from '#ui/button.tsx';
import primitives from '#ui/primitives.module.css';
import { useLabelWords } from './label-words.ts';
import styles from './labels.module.css';
import type { LabelScanning } from './use-label-scan.ts';

/**
 * The labels that the user printed and that have not been scanned for verification, newest first.
 */
export const WaitingLabels = ({ scanning }: { scanning: LabelScanning }) => {
  const say = useLabelWords();
  const format = useFormat();
  const heading = useId();
  const { waiting, running, remember } = scanning;
  return (
    <section className={`${primitives['card']} ${styles['waiting']}`} aria-labelledby={heading}>
      <h2 id={heading}>{say('waiting')}</h2>
      {waiting.length === 0 ? (
        <p className={primitives['note']}>{say('waiting_none')}</p>
      ) : (
        <ul className={`${primitives['list']} ${styles['rows']}`}>
          {waiting.map((label) => (
            <li key={label.id}>
              <span className="tabular">{label.delivery_id}</span>
              <span className={primitives['quiet']}>{label.recipient}</span>
              {label.package_count > 1 && (
                <span className={primitives['quiet']}>
                  {say('pieces', {
                    done: label.verified_packages.length,
                    count: label.package_count,
                  })}
                </span>
              )}
              <time className={primitives['note']} dateTime={label.created_at}>
                {format.time(label.created_at)}
              </time>
              <Button
                aria-label={say('verify_of', { number: label.delivery_id })}
                disabled={running}
                onClick={() => remember(label)}
              >
                {say('verify')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
