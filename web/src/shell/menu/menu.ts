import type { MenuNode } from '@waystation/contract/people/session.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { mayOpen, menuGroups, menuScreens, screenOf } from '@waystation/contract/shell/screens.ts';
import type { MenuGroup, Screen } from '@waystation/contract/shell/screens.ts';

export interface MenuSection {
  key: string;
  /**
   * The group of the console's own menu, or the heading that the server sent for its own group.
   * Null if the section has no heading.
   */
  heading: { group: Exclude<MenuGroup, 'top'> } | { words: string } | null;
  screens: readonly Screen[];
}

/**
 * The menu that is built without the server. It has the screens that the role may see, in the order
 * of the screen table, and no empty groups.
 */
export const localMenu = (role: Role): MenuSection[] =>
  menuGroups
    .map((group): MenuSection => ({
      key: group,
      heading: group === 'top' ? null : { group },
      screens: menuScreens(group, role),
    }))
    .filter((section) => section.screens.length > 0);

const byOrder = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.toSorted((a, b) => a.meta.order - b.meta.order);

const leaves = (node: MenuNode): MenuNode[] =>
  node.children.length === 0 ? [node] : byOrder(node.children).flatMap(leaves);

const known = (nodes: readonly MenuNode[], role: Role): Screen[] =>
  nodes
    .map((node) => screenOf(node.name))
    .filter((screen) => screen !== null && mayOpen(screen, role)) as Screen[];

const sectionOf = (node: MenuNode, role: Role): MenuSection => {
  const group = menuGroups.find((one) => one === node.name);
  const heading =
    node.children.length < 1 || group === 'top'
      ? null
      : group
        ? { group }
        : { words: node.meta.locale || node.name };
  return { key: node.path || node.name, heading, screens: known(leaves(node), role) };
};

/** Joins adjacent sections without a heading into one section. */
const joined = (sections: readonly MenuSection[]): MenuSection[] => {
  const result: MenuSection[] = [];
  for (const section of sections) {
    const last = result.at(-1);
    if (last && last.heading === null && section.heading === null)
      result[result.length - 1] = { ...last, screens: [...last.screens, ...section.screens] };
    else result.push(section);
  }
  return result;
};

/**
 * The menu built from the server's tree. It has the order and the groups of the server, but only
 * screens that the web console has and the role may see.
 */
export const menuOfServer = (nodes: readonly MenuNode[], role: Role): MenuSection[] =>
  joined(
    byOrder(nodes)
      .map((node) => sectionOf(node, role))
      .filter((section) => section.screens.length > 0),
  );
