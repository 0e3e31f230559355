import { useRef, useState } from 'react';
import { Popup } from './overlay/popup.tsx';
import styles from './term.module.css';

/**
 * A word that explains itself: on hover by the browser's hint, by a press or `?` beside it. The
 * sentence is the glossary's.
 */
export const Term = ({ word, sentence }: { word: string; sentence: string }) => {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['term']}
        title={sentence}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== '?') return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(true);
        }}
      >
        {word}
      </button>
      {isOpen && (
        <Popup anchor={button.current} onClose={() => setOpen(false)} role="group" label={word}>
          <p className={styles['sentence']} role="status">
            {sentence}
          </p>
        </Popup>
      )}
    </>
  );
};
