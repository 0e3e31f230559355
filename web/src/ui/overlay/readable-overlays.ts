import { popupsId } from './popups.ts';

/**
 * Keeps the overlay on top, and what has opened above it, in reach of a screen reader. Base UI hides
 * everything outside an overlay whenever that overlay is drawn, and so hides a form that has opened
 * over a drawer once the drawer is drawn again. Overlays are in the order of their opening.
 */
export const keepTopReadable = (): void => {
  const box = document.getElementById(popupsId);
  if (box === null) return;
  const show = (): void => {
    const overlays = [...box.children];
    const top = overlays.findLastIndex((each) =>
      each.querySelector('[aria-modal=true]:not([data-closed])'),
    );
    for (const each of top < 0 ? [] : overlays.slice(top))
      if (each.hasAttribute('aria-hidden')) each.removeAttribute('aria-hidden');
  };
  new MutationObserver(show).observe(box, {
    attributes: true,
    attributeFilter: ['aria-hidden', 'data-closed'],
    childList: true,
    subtree: true,
  });
  show();
};
