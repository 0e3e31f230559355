/**
 * Prints only a heading and lines of text, without the rest of the page. They are printed from a
 * frame that is removed afterwards.
 */
export const printLines = (heading: string, lines: readonly string[]): void => {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0';
  frame.setAttribute('aria-hidden', 'true');
  document.body.append(frame);
  const page = frame.contentDocument!;
  page.title = heading;
  const title = page.createElement('h1');
  title.textContent = heading;
  title.style.cssText = 'font:600 16px sans-serif';
  const list = page.createElement('ol');
  list.style.cssText = 'font:16px/2 monospace';
  for (const line of lines) {
    const item = page.createElement('li');
    item.textContent = line;
    list.append(item);
  }
  page.body.append(title, list);
  const view = frame.contentWindow!;
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
};
