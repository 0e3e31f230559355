import { useState } from 'react';
import { Popup } from './overlay/popup.tsx';
import styles from './term.module.css';

/**
 * A term with an explanation from the glossary. The explanation is shown while the pointer is over
 * the term, or after a press on the term or on the key `?`.
 */
export const Term = ({ word, sentence }: { word: string; sentence: string }) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        className={styles['term']}
        title={sentence}
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(anchor === null ? currentTarget : null)}
        // Closes the popup when it loses the focus. Otherwise it could cover a dialog that a key
        // opens.
        onBlur={() => setAnchor(null)}
        onKeyDown={(event) => {
          if (event.key !== '?') return;
          event.preventDefault();
          event.stopPropagation();
          setAnchor(event.currentTarget);
        }}
      >
        {word}
      </button>
      {anchor && (
        <Popup anchor={anchor} onClose={() => setAnchor(null)} role="group" label={word}>
          <p className={styles['sentence']} role="status">
            {sentence}
          </p>
        </Popup>
      )}
    </>
  );
};
