import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/es/types';
import styles from './icon.module.css';

interface Props {
  of: IconDefinition;
  /**
   * The meaning of the icon, needed if no text beside it gives the meaning. Screen readers do not
   * read an icon without a label.
   */
  label?: string;
  className?: string | undefined;
  spin?: boolean;
}

/**
 * The drawing of an icon. It is never a function, because only two-tone icons need a function to
 * set their second colour.
 */
const drawingOf = ({ icon }: IconDefinition): AbstractNode => icon as AbstractNode;

/**
 * An icon as tall as the text beside it. It is a single element without state, because a list draws
 * about a hundred icons.
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
