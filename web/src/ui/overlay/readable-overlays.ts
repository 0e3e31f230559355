import { popupsId } from './popups.ts';

/**
 * Keeps the top overlay and its popups readable for screen readers. Base UI hides everything
 * outside an overlay each time the overlay is drawn. A drawer that is drawn again would therefore
 * hide a form over it. Overlays are in the order of their opening.
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
