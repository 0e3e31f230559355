import { create } from 'zustand';

/**
 * The state of each overlay of the layout. It is true if the overlay is open. Only the user opens
 * overlays.
 */
interface Overlays {
  settings: boolean;
  palette: boolean;
  shortcuts: boolean;
  /** True if the menu of a narrow browser window is open. */
  menu: boolean;
}

const none: Overlays = { settings: false, palette: false, shortcuts: false, menu: false };

export const useOverlays = create<Overlays>(() => none);

export const showOverlay = (name: keyof Overlays): void =>
  useOverlays.setState({ ...none, [name]: true });
export const hideOverlay = (name: keyof Overlays): void => useOverlays.setState({ [name]: false });
