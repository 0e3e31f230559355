/** Announces a text to screen readers only, through one polite live region. */
let region: HTMLElement | null = null;

const ensureRegion = (): HTMLElement => {
  if (region?.isConnected) return region;
  region = document.createElement('div');
  region.className = 'sr-only';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.body.append(region);
  return region;
};

export const announce = (text: string): void => {
  const target = ensureRegion();
  target.textContent = '';
  // A text is read out a second time only if the region was empty in between.
  setTimeout(() => {
    target.textContent = text;
  }, 50);
};
