import { Menu as Base } from '@base-ui/react/menu';
import type { FocusEvent, KeyboardEvent } from 'react';
import { useCloseWhenHidden } from './close-when-hidden.ts';
import { ComponentLibrary } from './component-library.tsx';
import type { MenuProps } from './menu-props.ts';
import { useStacked } from './overlay-stack.ts';
import styles from './popup.module.css';
import { popupsNear } from './popups.ts';

/**
 * If a menu is opened without a trigger, the library moves the focus to the menu itself. This
 * function moves it on to the first item.
 */
const toFirst = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
  if (target === currentTarget)
    currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
};

export const LibraryMenu = ({ anchor, label, head, groups, align = 'end', onClose }: MenuProps) => {
  const mayClose = useStacked(true);
  useCloseWhenHidden(onClose);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') {
      event.preventDefault();
      onClose();
      // Letters select a menu item here. They must not also act as shortcuts of the page.
    } else if (event.key.length === 1) event.stopPropagation();
  };
  return (
    <ComponentLibrary>
      <Base.Root
        open
        modal={false}
        onOpenChange={(next, details) => {
          if (next) return;
          // If the menu is closed by a press on its own button, the button's handler closes it.
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
            align={align}
            sideOffset={4}
            collisionPadding={8}
            positionMethod="fixed"
            className={styles['place']}
          >
            <div className={styles['box']}>
              {head}
              <Base.Popup
                aria-label={label}
                className={styles['menu']}
                onFocus={toFirst}
                onKeyDown={onKeyDown}
              >
                {groups.map((items, at) => (
                  <div key={items[0]?.key ?? at} role="none">
                    {at > 0 && <Base.Separator className={styles['divider']} />}
                    {items.map(
                      ({
                        key,
                        label: words,
                        icon,
                        disabled = false,
                        danger = false,
                        why = null,
                        run,
                      }) => (
                        <Base.Item
                          key={key}
                          className={styles['item']}
                          data-danger={(danger && !disabled) || undefined}
                          disabled={disabled}
                          onClick={() => {
                            // The action runs after the menu has closed and given back the focus.
                            // Otherwise a dialog that the action opens would lose the focus.
                            if (!disabled) setTimeout(run);
                          }}
                        >
                          <span className={styles['icon']} aria-hidden>
                            {icon}
                          </span>
                          <span>{words}</span>
                          {why !== null && <span className={styles['why']}>{why}</span>}
                        </Base.Item>
                      ),
                    )}
                  </div>
                ))}
              </Base.Popup>
            </div>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </ComponentLibrary>
  );
};
