import {
  BookOutlined,
  AccountBookOutlined,
  AppstoreOutlined,
  AuditOutlined,
  ClockCircleOutlined,
  DashboardOutlined,
  EnvironmentOutlined,
  FileExcelOutlined,
  FileTextOutlined,
  FormOutlined,
  InboxOutlined,
  PrinterOutlined,
  ProfileOutlined,
  ReconciliationOutlined,
  SafetyOutlined,
  SettingOutlined,
  ShopOutlined,
  TableOutlined,
  TeamOutlined,
  UserOutlined,
} from '@ant-design/icons-svg';
import type { IconDefinition } from '@ant-design/icons-svg/es/types';
import { Icon } from '#ui/icon.tsx';

/**
 * The icons of the menu by name. The contract's table of screens and the server's menu use the same
 * names.
 */
const icons: Record<string, IconDefinition> = {
  workplace: DashboardOutlined,
  expresses: InboxOutlined,
  store: FormOutlined,
  contacts: BookOutlined,
  import: FileExcelOutlined,
  prints: PrinterOutlined,
  handovers: FileTextOutlined,
  outcomes: AuditOutlined,
  cargos: AppstoreOutlined,
  guarantees: SafetyOutlined,
  merchants: ShopOutlined,
  projects: ProfileOutlined,
  vouchers: TableOutlined,
  promises: ClockCircleOutlined,
  statements: AccountBookOutlined,
  settings: SettingOutlined,
  health: SafetyOutlined,
  personal: UserOutlined,
  stations: EnvironmentOutlined,
  reconciliations: ReconciliationOutlined,
  audit: AuditOutlined,
  users: TeamOutlined,
  integrations: AppstoreOutlined,
  profile: UserOutlined,
};

export const ScreenIcon = ({ name }: { name: string }) => (
  <Icon of={icons[name] ?? FileTextOutlined} />
);
