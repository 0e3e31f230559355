/**
 * Functions that create elements, for the login page, which has no framework. A value given as a
 * function is calculated again at each `update`.
 */

type Plain = string | number | boolean | null | undefined;
type Live<T> = T | (() => T);
type Attributes = Readonly<Record<string, Live<Plain> | ((event: never) => unknown)>>;
type Child = Node | string | (() => string);

const svgSpace = 'http://www.w3.org/2000/svg';

const setAttribute = (element: Element, name: string, value: Plain): void => {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (value === true) element.setAttribute(name, '');
  // Writes the value only if it has changed, because a screen reader would otherwise announce the
  // live region again.
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
};

export const createView = () => {
  const updates: (() => void)[] = [];

  const follow = (apply: () => void): void => {
    updates.push(apply);
    apply();
  };

  const build = <E extends Element>(
    element: E,
    attributes: Attributes,
    children: readonly Child[],
  ): E => {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
      else if (typeof value === 'function')
        follow(() => setAttribute(element, name, (value as () => Plain)()));
      else setAttribute(element, name, value);
    }
    for (const child of children)
      element.append(typeof child === 'function' ? liveText(child) : child);
    return element;
  };

  const liveText = (words: () => string): Text => {
    const node = document.createTextNode('');
    follow(() => {
      const text = words();
      if (node.data !== text) node.data = text;
    });
    return node;
  };

  return {
    /**
     * Creates an HTML element. An attribute named `on…` is an event listener. A value that is a
     * function is calculated again at each update.
     */
    h: <K extends keyof HTMLElementTagNameMap>(
      tag: K,
      attributes: Attributes = {},
      ...children: Child[]
    ): HTMLElementTagNameMap[K] => build(document.createElement(tag), attributes, children),
    svg: (tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement =>
      build(document.createElementNS(svgSpace, tag) as SVGElement, attributes, children),
    /** Calculates all values that were given as functions again, and shows the new values. */
    update: (): void => {
      for (const apply of updates) apply();
    },
  };
};

export type View = ReturnType<typeof createView>;
