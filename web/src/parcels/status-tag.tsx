import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import styles from './status-tag.module.css';

type Tone = 'pickup' | 'transit' | 'delivering' | 'signed' | 'exception' | 'hold' | 'cancelled';

/** States are distinguished by shape and text, never by colour alone. */
const marks = {
  0: {
    tone: 'cancelled',
    shape: (
      <circle
        cx="6"
        cy="6"
        r="4.25"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="2.2 2.2"
      />
    ),
  },
  10: {
    tone: 'hold',
    shape: (
      <path d="M3.5 2.5v7M8.5 2.5v7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    ),
  },
  20: {
    tone: 'transit',
    shape: (
      <path
        d="M2 6h.01M6 6h.01M10 6h.01"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    ),
  },
  90: {
    tone: 'exception',
    shape: (
      <path
        d="M2.8 2.8l6.4 6.4M9.2 2.8L2.8 9.2"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    ),
  },
  100: {
    tone: 'pickup',
    shape: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />,
  },
  200: {
    tone: 'transit',
    shape: (
      <path
        d="M6 11A5 5 0 0 1 6 1zM6 1.9a4.1 4.1 0 0 1 0 8.2"
        fill="currentColor"
        fillRule="evenodd"
        stroke="currentColor"
        strokeWidth="0.9"
        fillOpacity="0.45"
      />
    ),
  },
  210: {
    tone: 'transit',
    shape: (
      <>
        <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />
        <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </>
    ),
  },
  220: {
    tone: 'delivering',
    shape: (
      <path
        d="M2.6 1.6v8.8L10.4 6z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1"
        strokeLinejoin="round"
      />
    ),
  },
  300: {
    tone: 'signed',
    shape: (
      <path
        d="M2 6.4l2.7 2.7L10 3.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.1"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    ),
  },
  400: {
    tone: 'exception',
    shape: (
      <path
        d="M6 1.2L11.2 10.6H.8z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1"
        strokeLinejoin="round"
      />
    ),
  },
  410: {
    tone: 'hold',
    shape: (
      <path
        d="M10.4 9.6V7a2.6 2.6 0 0 0-2.6-2.6H2M4.6 1.8L2 4.4 4.6 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    ),
  },
  420: {
    tone: 'cancelled',
    shape: (
      <path
        d="M10.4 9.6V7a2.6 2.6 0 0 0-2.6-2.6H2M4.6 1.8L2 4.4 4.6 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    ),
  },
  500: {
    tone: 'cancelled',
    shape: <path d="M2.4 6h7.2" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />,
  },
} as const satisfies Record<StateCode, { tone: Tone; shape: React.ReactNode }>;

const known = (code: number): code is StateCode => Object.hasOwn(marks, code);

/** The colour family of a state. It is the part after `--state-` in the names of the colours. */
export const toneOf = (code: number): Tone => (known(code) ? marks[code].tone : 'cancelled');

/** Returns the text for a state in the user's language. */
export const useStateWords = (): ((code: number) => string) => {
  const { language } = useTexts();
  return (code) => wordOf(expressStates, code as StateCode, language);
};

export const StatusShape = ({ code }: { code: number }) => (
  <svg className={styles['shape']} viewBox="0 0 12 12" aria-hidden focusable="false">
    {known(code) ? marks[code].shape : <circle cx="6" cy="6" r="3" fill="currentColor" />}
  </svg>
);

/** The state of a parcel, shown with a symbol, text and the state's own colour. */
export const StatusTag = ({ code }: { code: number }) => {
  const words = useStateWords();
  return (
    <span className={styles['tag']} data-tone={toneOf(code)}>
      <StatusShape code={code} />
      {words(code)}
    </span>
  );
};
