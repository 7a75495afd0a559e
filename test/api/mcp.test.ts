import { randomUUID } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../server/operation/actor";
import { JSON_TYPES, readNotation } from "../../server/operation/tool-arguments";
import { toolManifest } from "../../server/surfaces/mcp/manifest";
import { listedTools } from "../../server/surfaces/mcp/tool-pages";
import { allTools } from "../../server/surfaces/mcp/tools";
import { tokensOf } from "../contract/tool-rules";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const URL_OF_ENDPOINT = "http://localhost:3000/v1/mcp";

/** The tools of the specification with the prefix svc_, in its notation. */
const SPECIFIED = {
  svc_functions_list: "",
  svc_functions_create: "name*:s runtime:s handler:s backend:s gpu:s",
  svc_functions_invoke: "function_id*:s payload:o",
  svc_pods_list: "",
  svc_pods_create: "name*:s image*:s gpu:b cpu:i memory_mb:i env:o command:a",
  svc_pods_stop: "pod_id*:s",
  svc_sandbox_create: "image*:s cpu:i memory_mb:i command:a env:o timeout_seconds:i",
  svc_sandbox_list: "",
  svc_workspaces_create: "name*:s image:s cpu:i memory_mb:i",
  svc_workspaces_list: "",
  svc_edge_create: "name*:s code*:s",
  svc_edge_publish: "edge_id*:s",
  svc_shield_scan: "bucket*:s prefix:s",
  svc_shield_scans: "",
  svc_observe_metrics: "window_hours:i",
  svc_storage_list: "prefix:s max_keys:i",
  svc_storage_presign: "key*:s operation:s expires_in:i",
  svc_gateway_chat: "model*:s messages*:a temperature:n max_tokens:i",
  svc_secrets_put: "name*:s value*:s",
  svc_billing_usage: "days:i",
  gpuc_skus: "category:s",
  gpuc_activations_list: "",
  gpuc_activate: "service*:s plan_tier:s",
  gpuc_deactivate: "service*:s",
  gpuc_gpu_create: "name*:s sku*:s image_id*:s purchase_option:s user_data:s tags:o",
  gpuc_cpu_create: "name*:s sku*:s image_id*:s purchase_option:s",
  gpuc_baremetal_create: "name*:s sku*:s image_id*:s",
  gpuc_instances_list: "kind:s",
  gpuc_instance_stop: "instance_id*:s",
  gpuc_instance_start: "instance_id*:s",
  gpuc_instance_delete: "instance_id*:s",
  gpuc_object_create: "name*:s tier:s lifecycle_days_to_warm:i lifecycle_days_to_cold:i lifecycle_days_to_archive:i",
  gpuc_object_list: "",
  gpuc_object_delete: "bucket_id*:s",
  gpuc_dfs_create: "name*:s capacity_gb*:i throughput_mbps:i subnet_id:s",
  gpuc_dfs_list: "",
  gpuc_dfs_delete: "volume_id*:s",
  gpuc_net_create: "name*:s kind*:s cidr:s bandwidth:s location:s",
  gpuc_net_list: "kind:s",
  gpuc_net_delete: "network_id*:s",
  gpuc_cks_create: "name*:s version:s subnets*:a ami_type:s tags:o",
  gpuc_cks_list: "",
  gpuc_cks_delete: "cluster_id*:s",
  gpuc_cks_node_group_create:
    "cluster_id*:s name*:s sku*:s desired_size:i min_size:i max_size:i purchase_option:s labels:o taints:a",
  gpuc_cks_node_groups_list: "cluster_id*:s",
  gpuc_cks_sunk_install: "cluster_id*:s",
  gpuc_observe_create: "name*:s kind*:s retention_days:i",
  gpuc_observe_list: "",
  gpuc_nlc_event: "node_name*:s signal*:s severity*:s details:o",
  gpuc_nlc_events_list: "",
  gpuc_flc_upgrade: "target_version*:s strategy:s max_unavailable:i",
  gpuc_flc_upgrades_list: "",
  gpuc_inference_create:
    "name*:s model*:s engine:s gpu_sku*:s gpu_count:i min_replicas:i max_replicas:i tensorizer_uri:s",
  gpuc_inference_list: "",
  gpuc_inference_delete: "endpoint_id*:s",
  gpuc_tensorizer_create: "name*:s source_model*:s target_uri*:s dtype:s shards:i bytes_total:i sha256:s",
  gpuc_tensorizer_list: "",
  gpuc_usage: "service:s since_days:i",
  edgec_services: "",
  edgec_skus: "service:s",
  edgec_price: "service*:s sku*:s plan:s",
  edgec_usage: "service:s limit:i",
  edgec_activations_list: "",
  edgec_activate: "service*:s plan_tier:s",
  edgec_deactivate: "service*:s",
  edgec_cdn_create: "name*:s kind:s spec:o",
  edgec_cdn_list: "",
  edgec_cdn_get: "rid*:s",
  edgec_cdn_delete: "rid*:s",
  obs_notebooks_create: "name*:s kind:s spec:o",
  obs_notebooks_list: "",
  obs_notebooks_get: "rid*:s",
  obs_notebooks_delete: "rid*:s",
};

const clients: Client[] = [];

const test = await openForFile(testApp());
const tenant = await makeTenant(test);
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function keyWith(scopes: Scope[], mode: "test" | "live" = "test"): Promise<string> {
  return platformKey(tenant, { scopes, mode });
}

interface Connection {
  mode?: "legacy" | "auto";
  /** What follows the address of the endpoint. */
  at?: string;
  headers?: Record<string, string>;
}

/** The official client on the endpoint, under a key. With whole schemas it checks each result against its schema. */
async function connect(key: string, { mode = "auto", at = "", headers = {} }: Connection = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${URL_OF_ENDPOINT}${at}`), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    fetch: (url, init) => test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" }),
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const post = (body: unknown, { key, headers = {} }: { key?: string; headers?: Record<string, string> } = {}) =>
  manage(test, "/v1/mcp", {
    ...(key !== undefined && { key }),
    ...(typeof body === "string" ? { raw: body } : { body }),
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json", ...headers },
  });

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

/** The JSON of a response, also as the only event of a stream. */
async function rpcOf(
  response: Response,
): Promise<{ result?: Record<string, unknown>; error?: Record<string, unknown> }> {
  const text = await response.text();
  return JSON.parse(text.startsWith("{") ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? "")) as never;
}

/** The messages of the response to a batch, an array or a stream; none of one that was refused as a whole. */
async function messagesOf(response: Response): Promise<Awaited<ReturnType<typeof rpcOf>>[]> {
  const text = await response.text();
  if (text.startsWith("[")) return JSON.parse(text) as never;
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, one]) => JSON.parse(one ?? "") as never);
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? "";

const ALL: Scope[] = [...SCOPES];

describe("the tools", () => {
  it("have the names and arguments of the specification, except for those that are missing", () => {
    const specified = allTools.filter(({ notation }) => notation !== undefined);
    expect(Object.fromEntries(specified.map(({ name, notation }) => [name, notation]))).toEqual(SPECIFIED);
    for (const { name, notation = "" } of specified) {
      const { inputSchema } = listedTools.find((tool) => tool.name === name) ?? { inputSchema: undefined };
      const fields = readNotation(notation);
      expect(Object.keys(inputSchema?.properties ?? {}), name).toEqual(fields.map((field) => field.name));
      expect(inputSchema?.required, name).toEqual(fields.filter((one) => one.isRequired).map((one) => one.name));
      for (const field of fields)
        expect(inputSchema?.properties[field.name], `${name} ${field.name}`).toMatchObject({
          type: JSON_TYPES[field.letter],
        });
    }
  });

  it("have unique names, a description, and schemas of objects", () => {
    expect(new Set(allTools.map(({ name }) => name)).size).toBe(allTools.length);
    for (const { name, description, inputSchema } of listedTools) {
      expect(name).toMatch(/^(?:svc|gpuc|edgec|obs)_[a-z_]{3,60}$/);
      expect(description.length, name).toBeGreaterThan(10);
      expect([inputSchema.type, Array.isArray(inputSchema.required)], name).toEqual(["object", true]);
    }
  });

  it("are in the manifest", () => {
    const manifest = JSON.parse(JSON.stringify(toolManifest("http://localhost:3000"))) as {
      tools: { inputSchema: object }[];
    };
    expect(manifest).toMatchObject({
      schemaVersion: "2024-11-05",
      name: "svc",
      transports: [{ type: "http", url: URL_OF_ENDPOINT, auth: { type: "bearer", header: "Authorization" } }],
    });
    for (const { inputSchema } of manifest.tools) expect(inputSchema).toHaveProperty("required");
    expect(manifest.tools).toEqual(
      listedTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
  });
});

describe.each(["legacy", "auto"] as const)("the official client, %s", (mode) => {
  it("works through a bucket, a secret, a queue, a function, a chat and the bill", async () => {
    const client = await connect(await keyWith(ALL), { mode, at: "?schemas=full" });
    expect(client.getServerVersion()).toMatchObject({ name: "svc" });
    expect(tokensOf(client.getInstructions())).toBeLessThanOrEqual(300);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
    const checked = new Set(tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name));
    const call = async (name: string, given: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name, arguments: given });
      expect(result.isError, textOf(result)).toBeFalsy();
      expect(checked).toContain(name);
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
      return result.structuredContent as Record<string, unknown>;
    };
    const key = `${mode}/readme.txt`;
    expect(await call("svc_storage_presign", { key, operation: "put_object" })).toMatchObject({ method: "PUT" });
    expect(await call("svc_storage_presign", { key })).toMatchObject({ method: "GET" });
    expect(await call("svc_storage_list", { prefix: `${mode}/`, max_keys: 5 })).toEqual({
      data: [],
      common_prefixes: [],
      next_cursor: null,
    });
    expect(await call("svc_secrets_put", { name: `token-${mode}`, value: "hidden-value-1" })).toMatchObject({
      version: 1,
    });
    const { data } = (await call("svc_storage_buckets_list")) as { data: { name: string }[] };
    const scan = await call("svc_shield_scan", { bucket: data[0]?.name, prefix: `${mode}/` });
    expect(await call("svc_shield_scans_get", { scan_id: scan.id, wait_seconds: 20 })).toMatchObject({
      id: scan.id,
      status: "completed",
    });
    expect(await call("svc_shield_scans")).toMatchObject({ data: [{ prefix: `${mode}/` }] });
    await call("svc_queues_create", { name: `jobs-${mode}` });
    await call("svc_queues_send", { queue: `jobs-${mode}`, body: "work" });
    const received = await call("svc_queues_receive", { queue: `jobs-${mode}` });
    expect(JSON.stringify(received)).toContain("work");
    const { id: function_id } = await call("svc_functions_create", { name: `f-${mode}`, handler: "run" });
    const payload = { n: 1 };
    expect(await call("svc_functions_invoke", { function_id, payload })).toMatchObject({ result: payload });
    const code = "export default { fetch: () => new Response() };";
    const { id: edge_id } = await call("svc_edge_create", { name: `e-${mode}`, code });
    expect(await call("svc_edge_publish", { edge_id })).toMatchObject({ published_version: 1 });
    expect(await call("svc_edge_logs", { edge_id })).toEqual({ data: [] });
    expect(await call("svc_functions_list")).toMatchObject({ data: [{ id: function_id }] });
    const messages = [{ role: "user", content: "say it again" }];
    expect(JSON.stringify(await call("svc_gateway_chat", { model: "svc-echo", messages }))).toContain("say it again");
    expect(await call("svc_billing_usage", { days: 1 })).toHaveProperty("total");
    expect(await call("svc_pods_list")).toMatchObject({ data: [] });
    expect(await call("svc_ads_campaigns_list")).toMatchObject({ data: [] });
  });

  it("reads prompts and resources", async () => {
    const client = await connect(await keyWith(ALL), { mode });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("find_why_pod_is_pending");
    const prompt = await client.getPrompt({ name: "find_why_pod_is_pending", arguments: { pod_id: "pod_1" } });
    expect(JSON.stringify(prompt.messages)).toContain("pod_1");
    await expect(client.getPrompt({ name: "find_why_pod_is_pending" })).rejects.toThrow(/pod_id/);
    const { resources } = await client.listResources();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse((contents[0] as { text: string }).text)).toBeTypeOf("object");
    }
    expect(resources).toHaveLength(5);
    await expect(client.readResource({ uri: "svc://nothing" })).rejects.toThrow();
  });
});

describe("the schemas of a tool", () => {
  interface WholeTool {
    name: string;
    inputSchema: object;
    outputSchema?: { properties: object };
  }

  it("are brief in lists, whole on request, and a resource", async () => {
    const key = await keyWith(["queues:read", "queues:write"]);
    const brief = await (await connect(key)).listTools();
    const full = await (await connect(key, { at: "?schemas=full" })).listTools();
    expect(brief.tools.map(({ name }) => name)).toEqual(full.tools.map(({ name }) => name));
    for (const tool of brief.tools) expect(Object.keys(tool)).not.toContain("outputSchema");
    const client = await connect(key);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["svc://tools/{name}/schema"]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).not.toContain("svc://tools");
    for (const { name } of brief.tools) {
      const { contents } = await client.readResource({ uri: `svc://tools/${name}/schema` });
      const whole = JSON.parse((contents[0] as { text: string }).text) as WholeTool;
      expect(whole).toEqual(full.tools.find((tool) => tool.name === name));
    }
    const receive = full.tools.find(({ name }) => name === "svc_queues_receive") as WholeTool;
    expect(receive.outputSchema?.properties).toHaveProperty("data");
    for (const name of ["svc_pods_list", "svc_none"]) {
      await expect(client.readResource({ uri: `svc://tools/${name}/schema` })).rejects.toThrow();
    }
  });

  it.each([
    ["?schemas=whole", "schemas: expected brief or full."],
    ["?schema=full", "schema: unknown parameter; there are schemas and toolsets."],
  ])("are refused as %s", async (query, message) => {
    const key = await keyWith(["queues:read"]);
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const response = await manage(test, `/v1/mcp${query}`, { key, body: request("tools/list"), headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message, data: { code: "invalid_request" } } });
  });
});

describe("the form of a response", () => {
  it.each([
    ["both by name", "application/json, text/event-stream", /^(application\/json|text\/event-stream)/],
    ["everything", "*/*", /^(application\/json|text\/event-stream)/],
    ["all that is application", "application/*", /^application\/json/],
    ["JSON alone", "application/json", /^application\/json/],
  ])("is one that the client accepts: %s", async (_, accept, type) => {
    const key = await keyWith(["queues:read"]);
    const called = request("tools/call", { name: "svc_queues_list", arguments: {} });
    for (const body of [called, request("tools/list"), [called, request("ping")]]) {
      const response = await post(body, { key, headers: { accept } });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringMatching(type)]);
      const text = await response.text();
      if (type.source === "^application\\/json") expect(JSON.parse(text)).toBeTruthy();
    }
  });

  it("is none of those that a client does not accept", async () => {
    const key = await keyWith(["queues:read"]);
    for (const accept of ["text/html", "*/*;q=0"])
      expect((await post(request("tools/list"), { key, headers: { accept } })).status).toBe(406);
  });
});

describe("an address of the endpoint", () => {
  const SCOPES: Scope[] = ["queues:read", "queues:write", "secrets:read", "secrets:write", "storage:read"];
  const namesAt = async (connection: Connection) =>
    (await (await connect(await keyWith(SCOPES), connection)).listTools()).tools.map(({ name }) => name);

  it.each<[string, Connection]>([
    ["a path", { at: "/x/queues,secrets" }],
    ["a path and less in its query", { at: "/x/queues,secrets,pods?toolsets=queues,secrets" }],
    ["a query", { at: "?toolsets=queues,secrets" }],
    ["a header", { headers: { "x-svc-toolsets": "queues, secrets" } }],
  ])("has the tools of the toolsets of %s", async (_, connection) => {
    const own = (await namesAt({})).filter((name) => /^svc_(queues|secrets)_/.test(name));
    expect(own.length).toBeGreaterThan(5);
    expect(await namesAt(connection)).toEqual(own);
  });

  it.each<[string, Connection]>([
    ["/readonly", { at: "/readonly" }],
    ["/readonly after toolsets", { at: "/x/queues,secrets,storage/readonly" }],
    ["X-SVC-Readonly", { headers: { "x-svc-readonly": "true" } }],
  ])("has only tools that change nothing with %s", async (_, connection) => {
    const client = await connect(await keyWith(SCOPES), connection);
    const { tools } = await client.listTools();
    const all = await (await connect(await keyWith(SCOPES))).listTools();
    const reading = all.tools.filter(({ annotations }) => annotations?.readOnlyHint);
    const toolsets = connection.at?.startsWith("/x/") ? /^svc_(queues|secrets|storage)_/ : /./;
    expect(tools).toEqual(reading.filter(({ name }) => toolsets.test(name)));
    expect(tools.map(({ name }) => name)).toContain("svc_queues_list");
    expect((await client.callTool({ name: "svc_queues_list", arguments: {} })).isError).toBeFalsy();
    const created = client.callTool({ name: "svc_queues_create", arguments: { name: "never" } });
    await expect(created).rejects.toThrow(/no tool "svc_queues_create" at this address/);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["/x/pods,lamps", {}, /^toolsets: expected one or more of ads, billing, .*workspaces, separated by commas\.$/],
    ["/x/", {}, /^toolsets: expected one or more of ads/],
    ["?toolsets=", {}, /^toolsets: expected one or more of ads/],
    ["", { "x-svc-toolsets": "lamps" }, /^X-SVC-Toolsets: expected one or more of ads/],
    ["", { "x-svc-readonly": "yes" }, /^X-SVC-Readonly: expected true or false\.$/],
  ])("%s %j is refused with what is valid", async (at, given, message) => {
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json", ...given };
    const key = await keyWith(SCOPES);
    const response = await manage(test, `/v1/mcp${at}`, { key, body: request("tools/list"), headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message) } });
  });

  it("is none beside these", async () => {
    const response = await manage(test, "/v1/mcp/readonly/x/pods", {
      key: await keyWith(SCOPES),
      body: request("ping"),
    });
    expect(response.status).toBe(404);
  });
});

describe("a key", () => {
  it("sees and calls only the tools of its scopes", async () => {
    const client = await connect(await keyWith(["storage:read"]));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "svc_storage_list",
      "svc_storage_presign",
      "svc_storage_buckets_list",
      "svc_storage_objects_list",
      "svc_storage_objects_presign",
    ]);
    const refused = await client.callTool({ name: "svc_secrets_put", arguments: { name: "a", value: "b" } });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/scope secrets:write/)]);
    const put = await client.callTool({
      name: "svc_storage_presign",
      arguments: { key: "a", operation: "put_object" },
    });
    expect([put.isError, textOf(put)]).toEqual([true, expect.stringMatching(/storage:write/)]);
  });

  it("sees nothing of other tenants", async () => {
    const other = await makeTenant(test);
    const key = await platformKey(other, { scopes: ["queues:read", "queues:write", "usage:read"], mode: "test" });
    const [mine, theirs] = [await connect(await keyWith(["queues:read", "queues:write"])), await connect(key)];
    await mine.callTool({ name: "svc_queues_create", arguments: { name: "private-queue" } });
    const listed = await theirs.callTool({ name: "svc_queues_list", arguments: {} });
    expect(listed.structuredContent).toMatchObject({ data: [] });
    const sent = await theirs.callTool({ name: "svc_queues_send", arguments: { queue: "private-queue", body: "a" } });
    expect(sent.isError).toBe(true);
    const seen = async () => (await (await manage(test, "/v1/usage/tool-calls", { key })).json()) as { data: object[] };
    await eventually(async () => (await seen()).data.length > 0);
    expect((await seen()).data).toMatchObject([
      { tool: "svc_queues_send", error: "not_found", key_name: expect.any(String) },
      { tool: "svc_queues_list", error: null },
    ]);
  });

  it("calls each scope's tools 300 times per minute", async () => {
    const key = await keyWith(["queues:read", "secrets:read"]);
    const call = (name: string) => post(request("tools/call", { name, arguments: {} }), { key });
    const answers = await Promise.all(Array.from({ length: 301 }, () => call("svc_queues_list")));
    const results = await Promise.all(answers.map(async (answer) => (await rpcOf(answer)).result));
    expect(results.filter((result) => result?.isError === true)).toHaveLength(1);
    const refused = results.find((result) => result?.isError === true);
    expect(textOf(refused)).toMatch(/at most 300 calls of tools/);
    expect((await rpcOf(await call("svc_secrets_list"))).result?.isError).toBeFalsy();
  });
});

describe("arguments", () => {
  it.each([
    ["svc_pods_stop", {}, /^pod_id: missing, expected text\.\n/],
    ["svc_pods_stop", { pod_id: "" }, /^pod_id: /],
    ["svc_pods_stop", { pod_id: "pod_none" }, /pod_none/],
    ["svc_pods_create", { image: "alpine" }, /^name: missing, expected text\.\n/],
    ["svc_pods_create", { name: "a", image: "UPPER" }, /^image: /],
    ["svc_pods_create", { name: "a", image: "alpine", gpus: 2 }, /gpus/],
    ["svc_pods_create", { name: "a", image: "alpine", gpu: "yes" }, /^gpu: /],
    ["svc_storage_list", { max_keys: 0 }, /^max_keys: /],
    ["svc_gateway_chat", { model: "svc-echo", messages: "hello" }, /^messages: /],
    ["svc_queues_send", { body: "a" }, /^queue: /],
  ])("%s %j is an error of the tool that names the argument", async (name, given, expected) => {
    const client = await connect(await keyWith(ALL));
    const result = await client.callTool({ name, arguments: given as Record<string, unknown> });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(expected)]);
    expect(result._meta?.["svc/error"]).toMatchObject({ request_id: expect.any(String) });
  });

  it("that were sent with the same Idempotency-Key create once", async () => {
    const client = await connect(await keyWith(ALL));
    const params = {
      name: "svc_queues_create",
      arguments: { name: "created-once" },
      _meta: { "svc/idempotency-key": randomUUID() },
    };
    const [first, second] = [await client.callTool(params), await client.callTool(params)];
    expect(second.structuredContent).toEqual(first.structuredContent);
    expect([first._meta, second._meta?.["svc/idempotency-replayed"]]).toEqual([
      expect.not.objectContaining({ "svc/idempotency-replayed": true }),
      true,
    ]);
    const other = await client.callTool({ ...params, arguments: { name: "created-twice" } });
    expect([other.isError, textOf(other)]).toEqual([true, expect.stringMatching(/Idempotency-Key/i)]);
  });
});

describe("the endpoint", () => {
  interface Refused {
    who: string;
    key?: () => Promise<string> | string;
    headers?: Record<string, string>;
    status: number;
  }
  it.each<Refused>([
    { who: "no key", status: 401 },
    { who: "a wrong key", key: () => "svc_test_wrong", status: 401 },
    {
      who: "a page of another origin",
      key: () => keyWith(["pods:read"]),
      status: 403,
      headers: { origin: "https://evil.example" },
    },
  ])("refuses $who", async ({ key: keyOf, headers = {}, status }) => {
    const key = await keyOf?.();
    const response = await post(request("ping"), { ...(key !== undefined && { key }), headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
    expect(await response.json()).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_000, data: { request_id: response.headers.get("x-request-id") } },
    });
  });

  it.each([
    ["GET", 405, "method_not_allowed"],
    ["DELETE", 405, "method_not_allowed"],
    ["POST", 415, "unsupported_media_type"],
  ])("answers %s of text with %i, and svc's error in one of JSON-RPC", async (method, status, code) => {
    const init = { method, headers: { authorization: `Bearer ${await keyWith(["pods:read"])}` } };
    const body = method === "POST" ? { body: JSON.stringify(request("ping")) } : {};
    const peer = { address: "127.0.0.1" };
    const response = await test.app.platform.fetch(new Request(URL_OF_ENDPOINT, { ...init, ...body }), peer);
    expect(response.status).toBe(status);
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST" : null);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32_000, data: { code } } });
  });

  it.each([
    ["no JSON", "{", -32_700],
    ["a batch that is not of requests", "[1]", -32_600],
    ["a method that does not exist", request("tools/none"), -32_601],
    ["a tool that does not exist", request("tools/call", { name: "none" }), -32_602],
    ["another cursor", request("tools/list", { cursor: "cur_7" }), -32_602],
    ["a batch of more than 20", Array.from({ length: 21 }, () => request("ping")), -32_000],
  ])("answers %s with an error of JSON-RPC", async (_, body, code) => {
    const { error } = await rpcOf(await post(body, { key: await keyWith(["pods:read"]) }));
    expect(error).toMatchObject({ code });
  });

  it("answers the same list again under the id of each request, in every revision", async () => {
    const key = await keyWith(["pods:read"]);
    for (const headers of [{}, { "mcp-protocol-version": "2025-06-18" }] as Record<string, string>[]) {
      const listed = async (id: string | number) =>
        rpcOf(await post({ ...request("tools/list"), id }, { key, headers }));
      const first = await listed(1);
      expect(first.result).toHaveProperty("tools.0.name");
      for (const id of [7, 'a "name"']) expect(await listed(id)).toEqual({ ...first, id });
    }
  });

  it("counts each message of a batch, so that lists of one key hold nobody up", async () => {
    const key = await keyWith(["pods:read"]);
    const batch = Array.from({ length: 20 }, (_, id) => ({ ...request("tools/list"), id }));
    const began = performance.now();
    const responses = await Promise.all(Array.from({ length: 30 }, () => post(batch, { key })));
    const refilled = Math.ceil((performance.now() - began) / 100) + 1;
    const all = (await Promise.all(responses.map(messagesOf))).flat();
    const answered = all.filter(({ result }) => result !== undefined).length;
    expect(answered).toBeGreaterThanOrEqual(400);
    expect(answered).toBeLessThanOrEqual(400 + refilled);
    for (const { error } of all) if (error) expect(error.data).toMatchObject({ code: "rate_limited" });
  });

  it("counts requests without a valid key by address", async () => {
    const answers = await Promise.all(
      Array.from({ length: 420 }, () => manage(test, "/v1/mcp", { body: request("ping"), address: "203.0.113.77" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it("says what is left of the limit, against which resources do not count", async () => {
    const key = await keyWith(["pods:read"]);
    const read = await post(request("resources/read", { uri: "svc://gpu-pools" }), { key });
    expect((await rpcOf(read)).result).toHaveProperty("contents");
    expect(read.headers.get("ratelimit-policy")).toMatch(/^"default"/);
    const response = await post(request("tools/call", { name: "svc_pods_list", arguments: {} }), { key });
    expect(response.headers.get("ratelimit-policy")).toBe('"tools";q=300;w=60');
    expect(Number(response.headers.get("ratelimit-remaining"))).toBe(299);
  });
});
