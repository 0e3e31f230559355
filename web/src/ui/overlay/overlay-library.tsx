import { Drawer, Modal } from 'antd';
import type { DrawerProps, ModalProps } from 'antd';
import type { ReactNode } from 'react';
import { ComponentLibrary } from './component-library.tsx';

/** A heading below the page's own, so that headings within the overlay come after it in order. */
const heading = (title: ReactNode): ReactNode => (title === undefined || title === null ? title : <h2>{title}</h2>);

export const LibraryDrawer = ({ title, ...props }: DrawerProps) => (
  <ComponentLibrary>
    <Drawer {...props} title={heading(title)} />
  </ComponentLibrary>
);

export const LibraryModal = ({ title, ...props }: ModalProps) => (
  <ComponentLibrary>
    <Modal {...props} title={heading(title)} />
  </ComponentLibrary>
);
