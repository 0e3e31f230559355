import type { MenuNode } from '#people/session.ts';
import type { Role } from '#base/roles.ts';
import { menuGroups, menuScreens } from './screens.ts';
import type { Screen } from './screens.ts';

const leafOf = ({ path, name, title, icon, roles }: Screen, index: number): MenuNode => ({
  path,
  name,
  meta: { locale: `menu.${title}`, icon, order: index + 1, roles: [...roles] },
  children: [],
});

/**
 * The menu for a role: the groups with the screens that the role may open; screens of the group
 * `top` are on the first level. An empty group is left out.
 */
export const menuFor = (role: Role): MenuNode[] =>
  menuGroups
    .flatMap((group): MenuNode[] => {
      const children = menuScreens(group, role).map(leafOf);
      if (group === 'top' || children.length === 0) return children;
      const roles = [...new Set(children.flatMap((child) => child.meta.roles))];
      return [
        {
          path: `/${group}`,
          name: group,
          meta: { locale: `shell.group.${group}`, icon: children[0]!.meta.icon, order: 0, roles },
          children,
        },
      ];
    })
    .map((node, index) => ({ ...node, meta: { ...node.meta, order: index + 1 } }));
