import { CheckOutlined } from '@ant-design/icons-svg';
import { Select as Base } from '@base-ui/react/select';
import type { KeyboardEvent } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useCloseWhenHidden } from '#ui/overlay/close-when-hidden.ts';
import { ComponentLibrary } from '#ui/overlay/component-library.tsx';
import { useStacked } from '#ui/overlay/overlay-stack.ts';
import { popupsNear } from '#ui/overlay/popups.ts';
import styles from './select.module.css';

interface Props {
  id: string;
  anchor: HTMLElement;
  label: string | undefined;
  labelledBy: string | undefined;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  onClose: () => void;
}

/**
 * The open list of a select field. Arrow keys and letters move within the list, and Enter selects
 * an option. Escape and Tab leave the value unchanged.
 */
export const SelectList = ({
  id,
  anchor,
  label,
  labelledBy,
  value,
  options,
  onChange,
  onClose,
}: Props) => {
  const mayClose = useStacked(true, onClose);
  useCloseWhenHidden(onClose);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') {
      event.preventDefault();
      onClose();
    } else if (event.key.length === 1) event.stopPropagation();
  };
  return (
    <ComponentLibrary>
      <Base.Root
        open
        modal={false}
        value={value}
        onValueChange={(next) => onChange(next ?? '')}
        onOpenChange={(next, details) => {
          if (next) return;
          const own =
            details.reason === 'outside-press' &&
            details.event.target instanceof Node &&
            anchor.contains(details.event.target);
          if (own || !mayClose(details.event)) details.cancel();
          else onClose();
        }}
      >
        <Base.Portal container={popupsNear(anchor)}>
          <Base.Positioner
            anchor={anchor}
            side="bottom"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            positionMethod="fixed"
            alignItemWithTrigger={false}
            className={styles['place']}
          >
            <Base.Popup className={styles['popup']} finalFocus={() => anchor} onKeyDown={onKeyDown}>
              <Base.List
                id={id}
                className={styles['list']}
                {...(label !== undefined && { 'aria-label': label })}
                aria-labelledby={labelledBy}
              >
                {options.map((option) => (
                  <Base.Item key={option.value} value={option.value} className={styles['option']}>
                    <Base.ItemText>{option.label}</Base.ItemText>
                    <Base.ItemIndicator className={styles['tick']}>
                      <Icon of={CheckOutlined} />
                    </Base.ItemIndicator>
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </ComponentLibrary>
  );
};
