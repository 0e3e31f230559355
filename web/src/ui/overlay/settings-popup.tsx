import { SettingOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Popup } from './popup.tsx';

/** A gear button that opens the settings of the element beside it. */
export const SettingsPopup = ({ label, children }: { label: string; children: ReactNode }) => {
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        ref={button}
        type="text"
        icon={<Icon of={SettingOutlined} />}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={() => setAnchor(anchor ? null : button.current)}
      />
      {anchor && (
        <Popup
          anchor={anchor}
          align="end"
          onClose={() => setAnchor(null)}
          role="dialog"
          label={label}
          takesFocus
        >
          {children}
        </Popup>
      )}
    </>
  );
};
