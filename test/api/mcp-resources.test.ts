import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../server/operation/actor";
import { makeAdvertiser, makeCampaign } from "../factories/ads";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const tenant = await makeTenant(test);
const other = await makeTenant(test);
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

const ALL: Scope[] = [...SCOPES];
const key = await platformKey(tenant, { scopes: ALL, mode: "live" });
const foreignKey = await platformKey(other, { scopes: ALL, mode: "live" });
const campaign = await makeCampaign(tenant, {
  advertiser_id: (await makeAdvertiser(tenant, { mode: "live" })).id,
  mode: "live",
});

async function connect(bearer: string, mode: "legacy" | "auto" = "auto"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities: {} });
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost:3000/v1/mcp"), {
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    fetch: (url, init) => test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" }),
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

describe("completion", () => {
  const ref = { type: "ref/prompt", name: "explain_campaign" } as const;

  it.each(["legacy", "auto"] as const)("of an argument has the ids that the key may see, %s", async (mode) => {
    const of = async (bearer: string) =>
      (await connect(bearer, mode)).complete({ ref, argument: { name: "campaign_id", value: "cmp_" } });
    expect((await of(key)).completion.values).toEqual([campaign.id]);
    expect((await of(foreignKey)).completion.values).toEqual([]);
    expect((await of(await platformKey(tenant, { scopes: ["pods:read"], mode: "live" }))).completion.values).toEqual(
      [],
    );
  });

  it("of templates has the names of tools, and says whether there are more", async () => {
    const client = await connect(key);
    const tools = { type: "ref/resource", uri: "svc://tools/{name}/schema" } as const;
    const { completion } = await client.complete({ ref: tools, argument: { name: "name", value: "svc_pods_cr" } });
    expect(completion).toEqual({ values: ["svc_pods_create"], total: 1, hasMore: false });
    const all = await client.complete({ ref: tools, argument: { name: "name", value: "" } });
    expect([all.completion.values.length, all.completion.hasMore]).toEqual([100, true]);
  });

  it.each([
    [{ type: "ref/prompt", name: "nothing" }, "campaign_id", /no prompt "nothing"/],
    [ref, "nothing", /no argument "nothing"/],
    [{ type: "ref/resource", uri: "svc://nothing/{id}" }, "id", /no template/],
  ] as const)("of what does not exist is an error that says so: %j", async (asked, name, message) => {
    const client = await connect(key);
    await expect(client.complete({ ref: asked, argument: { name, value: "" } })).rejects.toThrow(message);
  });
});

describe("log messages", () => {
  const callWith = async (meta: object, headers: object = {}) => {
    const params = { name: "svc_pods_list", arguments: {}, _meta: meta };
    const answer = await manage(test, "/v1/mcp", {
      key,
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      headers: { accept: "application/json, text/event-stream", ...headers },
    });
    return answer.text();
  };
  const MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const HEADERS = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "svc_pods_list" };

  it("are sent from the level on that a request names, and otherwise not at all", async () => {
    expect(await callWith(MODERN, HEADERS)).not.toContain("notifications/message");
    const asked = await callWith({ ...MODERN, "io.modelcontextprotocol/logLevel": "info" }, HEADERS);
    expect(asked).toContain("svc_pods_list succeeded.");
    expect(asked).not.toContain("svc_pods_list begins.");
  });

  it("of older revisions begin with setLevel, for that key alone", async () => {
    const client = await connect(key, "legacy");
    const received: string[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => {
      received.push((params.data as { message: string }).message);
    });
    await client.callTool({ name: "svc_pods_list", arguments: {} });
    expect(received).toEqual([]);
    await client.setLoggingLevel("warning");
    await client.callTool({ name: "svc_pods_list", arguments: {} });
    await client.callTool({ name: "svc_pods_stop", arguments: { pod_id: "pod_none" } });
    await eventually(() => received.length > 0);
    expect(received).toEqual(['No pod has the id "pod_none".']);
    const stranger = await connect(foreignKey, "legacy");
    stranger.setNotificationHandler("notifications/message", () => {
      throw new Error("another key set this level");
    });
    await stranger.callTool({ name: "svc_pods_list", arguments: {} });
  });
});

describe("a stream of changes", () => {
  const uri = `svc://campaigns/${campaign.id}`;

  it("tells of a change of the object, which can then be read, and not of those of others", async () => {
    const client = await connect(key);
    const changed: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void changed.push(params.uri));
    const stream = await client.listen({ resourceSubscriptions: [uri, "svc://campaigns/cmp_none", "svc://nothing"] });
    const stranger = await connect(foreignKey);
    stranger.setNotificationHandler("notifications/resources/updated", ({ params }) => void changed.push(params.uri));
    await stranger.listen({ resourceSubscriptions: [uri, "svc://events"] });
    const { name } = campaign;
    const patched = await manage(test, `/v1/ads/campaigns/${campaign.id}`, {
      method: "PATCH",
      key,
      body: { name: `${name} 2` },
    });
    expect(patched.status).toBe(200);
    await test.app.settle();
    await eventually(() => changed.length > 0);
    expect(changed).toEqual([uri]);
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: campaign.id, name: `${name} 2` });
    await stream.close();
  });

  it("tells nothing more to a key that was revoked", async () => {
    const revoked = await platformKey(tenant, { scopes: ALL, mode: "live" });
    const client = await connect(revoked);
    const changed: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void changed.push(params.uri));
    await client.listen({ resourceSubscriptions: [uri] });
    const witness = await connect(key);
    const witnessed: string[] = [];
    witness.setNotificationHandler("notifications/resources/updated", ({ params }) => void witnessed.push(params.uri));
    await witness.listen({ resourceSubscriptions: [uri] });
    const own = (await (await manage(test, "/v1/keys", { key: revoked })).json()) as { data: { id: string }[] };
    const ended = await manage(test, `/v1/keys/${own.data[0]?.id}/revoke`, { method: "POST", key: revoked });
    expect(ended.status).toBe(200);
    await manage(test, `/v1/ads/campaigns/${campaign.id}`, { method: "PATCH", key, body: { name: "Third" } });
    await test.app.settle();
    await eventually(() => witnessed.length > 0);
    expect(changed).toEqual([]);
  });

  it("is refused beyond the number that a tenant can have", async () => {
    const client = await connect(foreignKey);
    const open = await Promise.all(
      Array.from({ length: 19 }, () => client.listen({ resourceSubscriptions: ["svc://events"] })),
    );
    await expect(client.listen({ resourceSubscriptions: ["svc://events"] })).rejects.toThrow(/streams at once/);
    await Promise.all(open.map((stream) => stream.close()));
    const listens = () => client.listen({ resourceSubscriptions: ["svc://events"] });
    await eventually(() =>
      listens().then(
        () => true,
        () => false,
      ),
    );
  });
});
