/** The examples of the tour, in the order in which they run in one shell. A test runs them. */
export const SETUP = `DEMO="\${SVC_DATA_DIR:-.data}/demo.json"
demo() { node -p "JSON.parse(require('fs').readFileSync(process.argv[1]))$1" "$DEMO"; }
SVC=$(demo .url)
KEY=$(demo .api.live_key)`;

export const OFFERS = `curl -s "$SVC/api/v1/offers" -H 'Content-Type: application/json' \\
  -H "X-SVC-API-Key: $(demo .channel.server_key)" -d '{"query":"wireless headphones","limit":3}'`;

export const REPORTS = `curl -s "$SVC/v1/ads/campaigns" -H "Authorization: Bearer $KEY"
curl -s "$SVC/v1/ads/reports?group_by=day,campaign&format=csv" -H "Authorization: Bearer $KEY"`;

export const EXPLAIN = `curl -s "$SVC/v1/ads/explain" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"channel_id\\":\\"$(demo .channel.id)\\",\\"query\\":\\"wireless headphones\\"}"`;

export const ORDER = `CLICK_URL=$(curl -s "$SVC/api/v1/offers" -H 'Content-Type: application/json' \\
  -H "X-SVC-API-Key: $(demo .channel.server_key)" -d '{"query":"wireless headphones"}' |
  node -p 'JSON.parse(require("fs").readFileSync(0)).offers[0].clickUrl')
sleep 1   # a click within half a second of the request does not count
LANDING_URL=$(curl -s -o /dev/null -w '%{redirect_url}' -A 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' "$CLICK_URL")
CLICK_ID=$(node -p 'new URL(process.argv[1]).searchParams.get("svc_click_id")' "$LANDING_URL")
curl -s "$SVC/api/v1/conversions" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"order_id\\":\\"$CLICK_ID\\",\\"click_id\\":\\"$CLICK_ID\\",\\"value_micros\\":49900000}"`;

export const COMMAND_LINE = `npm pack ./sdk --silent --pack-destination .build
npm install --global ./.build/svc-sdk-0.1.0.tgz
demo .api.live_key | svc login --base-url "$SVC" --key -
svc campaigns list
svc keys create --name ci --scopes ads:read`;

export const QUEUE = `svc queues create --name emails
svc queues send emails --body '{"to":"ada@example.com"}'
svc queues consume emails --once -- cat`;

export const OBJECT = `BUCKET="try-next-$(date +%s)"
svc buckets create --name "$BUCKET"
echo 'Hello from a bucket' | svc storage cp - "svc://$BUCKET/notes/hello.txt"
svc storage ls "svc://$BUCKET/notes/"
curl -s "$(svc storage presign "svc://$BUCKET/notes/hello.txt" --expires 10m)"`;

export const SECRET = `echo 'correct horse battery staple' | svc secrets put SMTP_PASSWORD
svc secrets list
svc secrets reveal SMTP_PASSWORD`;

export const CHAT = `curl -s "$SVC/v1/chat/completions" -H "Authorization: Bearer $(demo .api.test_key)" \\
  -H 'Content-Type: application/json' -d '{"model":"svc-echo","messages":[{"role":"user","content":"Hello"}]}'
SVC_API_KEY=$(demo .api.test_key) svc chat "What is an idempotency key?" --model svc-echo`;

export const AGENTS = `svc mcp tools
svc mcp call svc_gpu_pools_list
svc mcp call svc_storage_presign --arguments '{"key":"notes/today.txt"}'`;

/** Needs a registry that svc can reach, so no test runs it. */
export const PODS = `svc pods create --image alpine:3 --command /bin/echo,Hello --watch
svc pods logs pod_… --follow
svc pods exec pod_… -- /bin/ls
svc pods estimate --gpu h100
svc sandboxes run --image alpine:3 -- /bin/sh -c 'echo $((6 * 7))'
svc workspaces create --name api --image alpine:3`;

/** Needs files of the reader's own. */
export const FUNCTIONS = `echo 'export default (payload) => payload.prices.length' > total.js
svc functions deploy total --file total.js
svc functions invoke total --payload '{"prices":[40,2]}'
echo 'export default { fetch: (request) => new Response("Hello") }' > hello.js
svc edge deploy hello --file hello.js
svc edge logs hello --follow`;

export const INSTANCES = `svc activations create --service cpu
svc resources create --service cpu --name batch --spec '{"sku":"Genoa","image_id":"alpine-3"}'
svc skus list
svc resources usage`;
