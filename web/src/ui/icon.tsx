import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/es/types';
import styles from './icon.module.css';

interface Props {
  of: IconDefinition;
  /**
   * The icon's meaning, if no text beside it says so. An icon without a label is hidden from screen
   * readers.
   */
  label?: string;
  className?: string | undefined;
  spin?: boolean;
}

/**
 * Outlined and filled icons have one colour, that of the text; only two-tone ones need a function.
 */
const drawingOf = ({ icon }: IconDefinition): AbstractNode => icon as AbstractNode;

/**
 * An icon as tall as the text beside it. It is a single element without state, because a list draws
 * about a hundred of them.
 */
export const Icon = ({ of, label, className, spin }: Props) => {
  const { attrs, children = [] } = drawingOf(of);
  return (
    <svg
      className={[styles['icon'], className].filter(Boolean).join(' ')}
      data-spin={spin || undefined}
      viewBox={attrs['viewBox']}
      fillRule={attrs['fill-rule'] as 'evenodd' | undefined}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {children.map(({ attrs: { d } }) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
};
