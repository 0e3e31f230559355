import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import styles from './popup.module.css';

interface Props {
  /**
   * The element beside which the popup opens. A press on it does not count as a press outside the
   * popup.
   */
  anchor: HTMLElement | null;
  onClose: () => void;
  children: ReactNode;
  /** The edge of the anchor to which the popup is aligned. */
  align?: 'start' | 'end';
  /** True if the popup is at least as wide as its anchor. */
  wide?: boolean;
  role?: 'dialog' | 'group';
  label?: string;
  /**
   * True if the popup takes the focus when it opens and returns it to the anchor when it closes.
   */
  takesFocus?: boolean;
}

const gap = 4;
const margin = 8;

/** The open popups in the order of their opening. Escape closes only the last one. */
const opened: symbol[] = [];

/**
 * Places the popup below the anchor if there is room, or else above it. It never extends beyond the
 * edge of the window.
 */
const place = (
  box: HTMLElement,
  anchor: HTMLElement,
  align: 'start' | 'end',
  wide: boolean,
): void => {
  const onScreen = anchor.getBoundingClientRect();
  // Bench mode enlarges the page, and a popup is placed in pixels of the enlarged page. Browsers
  // without `currentCSSZoom` already measure in these pixels.
  const scale = (anchor as HTMLElement & { currentCSSZoom?: number }).currentCSSZoom ?? 1;
  const [left, right, top, bottom] = (['left', 'right', 'top', 'bottom'] as const).map(
    (edge) => onScreen[edge] / scale,
  ) as [number, number, number, number];
  const at = { left, right, top, bottom, width: onScreen.width / scale };
  const [width, height] = [
    document.documentElement.clientWidth / scale,
    document.documentElement.clientHeight / scale,
  ];
  box.style.minWidth = wide ? `${at.width}px` : '';
  box.style.maxHeight = '';
  const below = height - at.bottom - gap - margin;
  const above = at.top - gap - margin;
  const goesUp = box.offsetHeight > below && above > below;
  box.style.maxHeight = `${Math.max(goesUp ? above : below, 120)}px`;
  const wanted = align === 'start' ? at.left : at.right - box.offsetWidth;
  box.style.left = `${Math.max(margin, Math.min(wanted, width - box.offsetWidth - margin))}px`;
  box.style.top = goesUp
    ? `${Math.max(margin, at.top - gap - box.offsetHeight)}px`
    : `${at.bottom + gap}px`;
};

const usePlaced = (
  ref: RefObject<HTMLDivElement | null>,
  anchor: HTMLElement | null,
  align: 'start' | 'end',
  wide: boolean,
): void => {
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box || !anchor) return;
    box.showPopover();
    const again = (): void => place(box, anchor, align, wide);
    again();
    const watch = new ResizeObserver(again);
    watch.observe(box);
    window.addEventListener('resize', again);
    document.addEventListener('scroll', again, true);
    return () => {
      watch.disconnect();
      window.removeEventListener('resize', again);
      document.removeEventListener('scroll', again, true);
      if (box.matches(':popover-open')) box.hidePopover();
    };
  }, [ref, anchor, align, wide]);
};

/**
 * A box over the page that is attached to a control. Escape or a press outside the box closes it.
 */
export const Popup = ({
  anchor,
  onClose,
  children,
  align = 'start',
  wide = false,
  role,
  label,
  takesFocus = false,
}: Props) => {
  const ref = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  usePlaced(ref, anchor, align, wide);
  useEffect(() => {
    const self = Symbol('popup');
    opened.push(self);
    const onPress = (event: Event): void => {
      const target = event.target as Node;
      if (!ref.current?.contains(target) && !anchor?.contains(target)) close.current();
    };
    // Listens in the capture phase, so that the drawer or dialog under the popup does not close
    // too.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || opened.at(-1) !== self) return;
      event.stopPropagation();
      event.preventDefault();
      close.current();
    };
    document.addEventListener('pointerdown', onPress, true);
    document.addEventListener('keydown', onKey, true);
    return () => {
      opened.splice(opened.indexOf(self), 1);
      document.removeEventListener('pointerdown', onPress, true);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [anchor]);
  useEffect(() => {
    if (!takesFocus) return;
    // The focus stays unchanged if the content has already set it.
    if (!ref.current?.contains(document.activeElement)) ref.current?.focus({ preventScroll: true });
    return () => anchor?.focus({ preventScroll: true });
  }, [takesFocus, anchor]);
  return (
    <div
      ref={ref}
      popover="manual"
      className={styles['popup']}
      role={role}
      aria-label={label}
      {...(takesFocus && { tabIndex: -1 })}
    >
      {children}
    </div>
  );
};
