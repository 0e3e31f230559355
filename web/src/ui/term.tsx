import { useState } from 'react';
import { Popup } from './overlay/popup.tsx';
import styles from './term.module.css';

/**
 * A word that explains itself: on hover by the browser's hint, by a press or `?` beside it. The
 * sentence is the glossary's.
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
        // Closed without the focus, so that it covers no dialog that is opened by key next.
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
