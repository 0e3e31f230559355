import { Button, Card, Form, Input } from 'antd';

export const Login = () => (
  <Card title="登录" style={{ width: 360, margin: '120px auto' }}>
    <Form layout="vertical">
      <Form.Item label="用户名" name="username" rules={[{ required: true }]}>
        <Input name="username" autoComplete="username" />
      </Form.Item>
      <Form.Item label="密码" name="password" rules={[{ required: true }]}>
        <Input.Password name="password" autoComplete="current-password" />
      </Form.Item>
      <Button type="primary" htmlType="submit" block>
        登录
      </Button>
    </Form>
  </Card>
);
