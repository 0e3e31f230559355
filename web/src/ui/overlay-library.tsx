import { Drawer, Modal } from 'antd';
import type { DrawerProps, ModalProps } from 'antd';
import { ComponentLibrary } from '#app/component-library.tsx';

export const LibraryDrawer = (props: DrawerProps) => (
  <ComponentLibrary>
    <Drawer {...props} />
  </ComponentLibrary>
);

export const LibraryModal = (props: ModalProps) => (
  <ComponentLibrary>
    <Modal {...props} />
  </ComponentLibrary>
);
