import { Button, Card, Dropdown, Input, Layout, Menu, Space, Table, Tabs, Tag } from 'antd';
import type { TableColumnsType } from 'antd';
import { useEffect, useState } from 'react';
import { kg, readParcels, states, time, yuan } from '#parcel.ts';
import type { Parcel, Parcels } from '#parcel.ts';

const columns: TableColumnsType<Parcel> = [
  {
    title: '运单号',
    render: (_, row) => <a href={`#${row.id}`}>{row.delivery_id ?? row.order_id}</a>,
  },
  {
    title: '状态',
    dataIndex: 'state_txt',
    sorter: true,
    render: (words: string) => <Tag color="blue">{words}</Tag>,
  },
  { title: '收件人', render: (_, row) => `${row.receive_name} ${row.receive_phone}` },
  { title: '目的地', render: (_, row) => `${row.receive_city} ${row.receive_county}` },
  { title: '物品', dataIndex: 'goods' },
  { title: '件数', dataIndex: 'package_count', align: 'right' },
  {
    title: '重量',
    align: 'right',
    sorter: true,
    render: (_, row) => `${kg(row.weight)} → ${kg(row.cal_weight)}`,
  },
  { title: '应付', dataIndex: 'post_amount', align: 'right', sorter: true, render: yuan },
  { title: '打印', dataIndex: 'print_count', align: 'right' },
  { title: '创建', dataIndex: 'created_at', sorter: true, render: time },
  { title: '站点', dataIndex: 'station_name' },
  {
    title: '操作',
    render: () => (
      <Space>
        <Button type="link" size="small">
          详情
        </Button>
        <Button type="link" size="small">
          打印
        </Button>
        <Dropdown menu={{ items: [{ key: 'cancel', label: '取消' }] }}>
          <Button type="text" size="small">
            ⋯
          </Button>
        </Dropdown>
      </Space>
    ),
  },
];

const menu = ['工作台', '运单管理', '下单', '导入', '账单', '站点'].map((label) => ({
  key: label,
  label,
}));

export const List = () => {
  const [answer, setAnswer] = useState<Parcels | null>(null);
  useEffect(() => void readParcels().then(setAnswer), []);
  return (
    <Layout style={{ minHeight: '100vh' }}>
      <Layout.Sider theme="light">
        <Menu items={menu} selectedKeys={['运单管理']} />
      </Layout.Sider>
      <Layout>
        <Layout.Header>
          <Input.Search placeholder="单号 / 手机尾号 / 姓名" style={{ width: 320 }} />
        </Layout.Header>
        <Layout.Content style={{ padding: 16 }}>
          <Card>
            <Tabs items={states.map((label) => ({ key: label, label }))} />
            <Table
              rowKey="id"
              size="small"
              columns={columns}
              dataSource={answer?.items ?? []}
              loading={answer === null}
              rowSelection={{}}
              pagination={{ pageSize: 20, total: answer?.total ?? 0 }}
            />
          </Card>
        </Layout.Content>
      </Layout>
    </Layout>
  );
};
