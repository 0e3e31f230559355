const password = 'waystation-demo';

export interface Answer {
  status: number;
  data: unknown;
  retryAfter: number;
}
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

const asker =
  (base: string, token: string): Ask =>
  async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      data: isJson ? (JSON.parse(text) as { data: unknown }).data : text,
      retryAfter: Number(response.headers.get('retry-after') ?? 0),
    };
  };

export const logIn = async (base: string, username: string): Promise<Ask> => {
  const response = await fetch(`${base}/api/arco/login/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return asker(
    base,
    ((await response.json()) as { data: { access_token: string } }).data.access_token,
  );
};
