import type { ReactNode } from 'react';
import type { Role } from '@waystation/contract/roles.ts';
import { usePermitted } from './session.ts';

/** Shows its children to the named roles (requirements §5); anything but an array throws 'need roles'. */
export const Permitted = ({ roles, children }: { roles: readonly Role[]; children: ReactNode }) => (usePermitted(roles) ? children : null);
