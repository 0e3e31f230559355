import Chip from '@mui/material/Chip';
import { Admin, Button, DataTable, List, Resource, SearchInput, SelectInput } from 'react-admin';
import type { AuthProvider, DataProvider } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { isLoggedIn, kg, readParcels, states, time, yuan } from '#parcel.ts';
import type { Parcel } from '#parcel.ts';

const dataProvider = {
  getList: async () => {
    const { items, total } = await readParcels();
    return { data: items, total };
  },
} as unknown as DataProvider;

const authProvider: AuthProvider = {
  login: async () => {},
  logout: async () => {},
  checkError: async () => {},
  getPermissions: async () => null,
  checkAuth: async () => {
    if (!isLoggedIn()) throw new Error('not logged in');
  },
};

const filters = [
  <SearchInput key="q" source="q" alwaysOn />,
  <SelectInput
    key="state"
    source="state"
    choices={states.map((name) => ({ id: name, name }))}
    alwaysOn
  />,
];

const ParcelList = () => (
  <List perPage={20} filters={filters}>
    <DataTable rowClick={false}>
      <DataTable.Col
        label="运单号"
        render={(row: Parcel) => <a href={`#${row.id}`}>{row.delivery_id ?? row.order_id}</a>}
      />
      <DataTable.Col
        source="state_code"
        label="状态"
        render={(row: Parcel) => <Chip size="small" label={row.state_txt} />}
      />
      <DataTable.Col
        label="收件人"
        render={(row: Parcel) => `${row.receive_name} ${row.receive_phone}`}
      />
      <DataTable.Col
        label="目的地"
        render={(row: Parcel) => `${row.receive_city} ${row.receive_county}`}
      />
      <DataTable.Col source="goods" label="物品" disableSort />
      <DataTable.NumberCol source="package_count" label="件数" disableSort />
      <DataTable.Col
        source="cal_weight"
        label="重量"
        render={(row: Parcel) => `${kg(row.weight)} → ${kg(row.cal_weight)}`}
      />
      <DataTable.Col
        source="post_amount"
        label="应付"
        render={(row: Parcel) => yuan(row.post_amount)}
      />
      <DataTable.NumberCol source="print_count" label="打印" disableSort />
      <DataTable.Col
        source="created_at"
        label="创建"
        render={(row: Parcel) => time(row.created_at)}
      />
      <DataTable.Col source="station_name" label="站点" disableSort />
      <DataTable.Col
        label="操作"
        render={() => (
          <>
            <Button label="详情" />
            <Button label="打印" />
            <Button label="⋯" />
          </>
        )}
      />
    </DataTable>
  </List>
);

const others = ['workplace', 'store', 'import', 'statements', 'stations'];

createRoot(document.getElementById('root')!).render(
  <Admin dataProvider={dataProvider} authProvider={authProvider} requireAuth disableTelemetry>
    <Resource name="parcels" list={ParcelList} />
    {others.map((name) => (
      <Resource key={name} name={name} list={ParcelList} />
    ))}
  </Admin>,
);
