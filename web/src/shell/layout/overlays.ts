import { create } from 'zustand';

/** The overlays of the layout; only the user opens them. */
interface Overlays {
  settings: boolean;
  palette: boolean;
  shortcuts: boolean;
  /** The menu of narrow windows. */
  menu: boolean;
}

const none: Overlays = { settings: false, palette: false, shortcuts: false, menu: false };

export const useOverlays = create<Overlays>(() => none);

export const showOverlay = (name: keyof Overlays): void =>
  useOverlays.setState({ ...none, [name]: true });
export const hideOverlay = (name: keyof Overlays): void => useOverlays.setState({ [name]: false });
