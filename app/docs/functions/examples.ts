export const CODE = `export default async function (payload, { env, invocation_id }) {
  const response = await fetch("https://api.example/prices/" + payload.sku, {
    headers: { authorization: "Bearer " + env.API_KEY },
  });
  console.log("asked for", payload.sku, invocation_id);
  return { sku: payload.sku, price: (await response.json()).price };
}`;

export const DEPLOY = `svc functions deploy price --file price.js
svc functions invoke price --payload '{"sku":"sku-1"}'
svc function-versions restore price --version 1`;

export const ENV = `{ "env": { "CURRENCY": "EUR", "API_KEY": { "secret": "PRICES_KEY" } } }`;

export const SCHEDULE = `{
  "schedule": { "cron": "0 6 * * MON-FRI", "timezone": "Europe/Berlin", "payload": { "report": "daily" } },
  "retries_max": 2
}`;

export const PYTHON = JSON.stringify(
  {
    name: "greet",
    runtime: "python",
    image: "python:3.14-alpine",
    memory_mb: 256,
    handler: "run",
    code: "def run(payload, context):\n    print('called', context['invocation_id'])\n    return {'hello': payload['name']}\n",
  },
  null,
  2,
);
