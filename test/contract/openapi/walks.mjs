// One walk a room: create, get, list, change, delete, each with what the step before made.
import { randomUUID } from "node:crypto";

export async function walkAccount({ call, shared }) {
  await call("getTenant", { expect: 200 });
  await call("listQuotas", { expect: 200 });
  const key = { "idempotency-key": randomUUID() };
  const name = `Contract ${key["idempotency-key"].slice(0, 8)}`;
  const { body: project } = await call("createProject", { expect: 201, input: { name }, headers: key });
  await call("createProject", { expect: 201, input: { name }, headers: key });
  await call("createProject", { expect: 422, input: { name: "Another" }, headers: key });
  const { id } = project;
  await call("getProject", { expect: 200, input: { id } });
  await call("listProjects", { expect: 200, input: { limit: 1 } });
  await call("updateProject", { expect: 200, input: { id, name: `${name}, renamed` } });
  await walkKeys({ call, project: shared.project });
  await call("deleteProject", { expect: 204, input: { id } });
  await call("listAudit", { expect: 200, input: { limit: 2 } });
  await call("verifyAudit", { expect: 200 });
  await walkLogIn({ call, shared });
}

async function walkKeys({ call, project }) {
  const input = { project, mode: "live", scopes: ["ads:read"], allowed_addresses: [] };
  const { body: key } = await call("createKey", { expect: 201, input });
  await call("getKey", { expect: 200, input: { id: key.id } });
  await call("listKeys", { expect: 200, input: { limit: 1 } });
  const lesser = { bearer: key.key };
  await call("createChannel", { expect: 403, key: lesser });
  await call("createKey", { expect: 403, key: lesser, input });
  await call("rotateKey", { expect: 200, input: { id: key.id, grace_seconds: 0 } });
  await call("deleteProject", { expect: 409, input: { id: project } });
  await call("revokeKey", { expect: 200, input: { id: key.id } });
}

async function walkLogIn({ call, shared }) {
  await call("logIn", { expect: 401, input: { email: shared.email, password: "not the password" } });
  const { body, headers } = await call("logIn", {
    expect: 200,
    input: { email: shared.email, password: shared.password },
  });
  const cookieOf = (answer) => answer.get("set-cookie")?.split(";")[0] ?? "";
  await call("getTenant", { expect: 200, key: { bearer: body.access_token } });
  const renewed = await call("refreshSession", { expect: 200, key: { cookie: cookieOf(headers) } });
  await call("logOut", { expect: 204, key: { cookie: cookieOf(renewed.headers) } });
  await call("refreshSession", { expect: 401, key: { cookie: cookieOf(renewed.headers) } });
}

export async function walkAds({ call, exampleOf }) {
  const { body: channel } = await call("createChannel", { expect: 201 });
  await call("getChannel", { expect: 200, input: { id: channel.id } });
  await call("listChannels", { expect: 200, input: { limit: 1 } });
  await call("updateChannel", { expect: 200, input: { id: channel.id } });
  const { body: key } = await call("createChannelKey", { expect: 201, input: { id: channel.id } });
  await call("listChannelKeys", { expect: 200, input: { id: channel.id } });
  await call("revokeChannelKey", { expect: 200, input: { id: channel.id, key_id: key.id } });
  const { body: advertiser } = await call("createAdvertiser", { expect: 201 });
  await call("getAdvertiser", { expect: 200, input: { id: advertiser.id } });
  await call("listAdvertisers", { expect: 200, input: { limit: 1 } });
  await call("updateAdvertiser", { expect: 200, input: { id: advertiser.id } });
  await call("getPixel", { expect: 200, input: { id: advertiser.id } });
  // Nothing is published under a domain that is reserved for examples.
  await call("verifyAdvertiserDomain", { expect: 409, input: { id: advertiser.id } });
  await call("requestAdvertiserReview", { expect: 409, input: { id: advertiser.id } });
  await walkCampaign({ call, exampleOf, advertiser });
  await call("deleteAdvertiser", { expect: 204, input: { id: advertiser.id } });
  await call("explainOffers", { expect: 200, input: { channel_id: channel.id } });
  await call("deleteChannel", { expect: 204, input: { id: channel.id } });
  await call("getReport", { expect: 200, input: { group_by: "day" } });
  await call("getReport", { expect: 200, input: { group_by: "day", format: "csv" } });
  for (const id of ["getBalance", "getEarnings", "listNetworkChannels", "listStatements"])
    await call(id, { expect: 200 });
  for (const id of ["getEarningsStatement", "getSpendStatement"]) {
    await call(id, { expect: 200, input: { month: "2026-01" } });
    await call(id, { expect: 400, input: { month: "9999-01" } });
  }
  await call("eraseUser", { expect: 204, input: { user_id: "reader-4711" } });
}

async function walkCampaign({ call, exampleOf, advertiser }) {
  const { body: campaign } = await call("createCampaign", { expect: 201, input: { advertiser_id: advertiser.id } });
  const { id } = campaign;
  await call("getCampaign", { expect: 200, input: { id } });
  await call("listCampaigns", { expect: 200, input: { limit: 1, status: "active" } });
  await call("updateCampaign", { expect: 200, input: { id } });
  await call("deleteAdvertiser", { expect: 409, input: { id: advertiser.id } });
  const { body: creative } = await call("createCreative", { expect: 201, input: { id } });
  const at = { id, creative_id: creative.id };
  await call("getCreative", { expect: 200, input: at });
  await call("listCreatives", { expect: 200, input: { id } });
  await call("updateCreative", { expect: 200, input: at });
  await call("deleteCreative", { expect: 204, input: at });
  await walkProducts({ call, exampleOf, id });
  await call("deleteCampaign", { expect: 204, input: { id } });
}

async function walkProducts({ call, exampleOf, id }) {
  const type = "application/x-ndjson";
  const feed = { input: { id }, text: exampleOf("importProducts", type), type };
  await call("importProducts", { expect: 200, ...feed });
  const { body: page } = await call("listProducts", { expect: 200, input: { id } });
  const at = { id, product_id: page.data[0].id };
  await call("getProduct", { expect: 200, input: at });
  await call("deleteProduct", { expect: 204, input: at });
  // Bulk routes take 20 a minute; verifying the audit log and a domain and the import above were three.
  for (let used = 3; used < BULK_PER_MINUTE; used++) await call("importProducts", { expect: 200, ...feed });
  await call("importProducts", { expect: 429, ...feed });
}

const BULK_PER_MINUTE = 20;

export async function walkOffers({ call, url, faults }) {
  const { body } = await call("serveOffers", { expect: 200, input: { query: "wireless headphones", limit: 3 } });
  await call("getOffers", { expect: 200, input: { query: "wireless headphones", limit: 2 } });
  const [offer] = body.offers;
  if (!offer) throw new Error("The demo has no offer for headphones.");
  await call("reportImpressions", { expect: 204, input: { ids: [offer.id] } });
  await call("reportSignals", { expect: 204 });
  const click = await fetch(`${url}/api/v1/clicks/${offer.id}`, { redirect: "manual" });
  if (click.status !== 302 || !click.headers.get("location")) faults.push(`followClick: got ${click.status}`);
  await call("followClick", { expect: 404, input: { offer_id: randomUUID() } });
  const order_id = randomUUID();
  await call("reportConversion", { expect: 201, input: { order_id, click_id: "", value_micros: 1 } });
  await call("listConversions", { expect: 200, input: { limit: 1 } });
  const { body: page } = await call("listAdvertisers", { expect: 200, input: { limit: 1 } });
  const { body: pixel } = await call("getPixel", { expect: 200, input: { id: page.data[0].id } });
  await call("followPixel", { expect: 200, input: { token: pixel.token, order_id: randomUUID() } });
}

/** Bulk routes, of which no more are to be had in this minute. */
const USED_UP = new Set(["verifyAudit", "importProducts", "verifyAdvertiserDomain"]);

/** Parameters of paths that are no ids. */
const NO_IDS = { month: "2026-01" };

/** What every operation refuses: a wrong key, a wrong input, a thing that is not there, a body that is not as it should be. */
export async function walkRefusals({ call, operations }) {
  const wrong = { bearer: `svc_live_${"a".repeat(48)}`, channel: `svc_srv_${"a".repeat(48)}`, cookie: "svc_refresh=x" };
  for (const [id, { method, path, operation }] of operations) {
    const needsKey = operation.security.length > 0;
    const names = path.match(/\w+(?=\})/g) ?? [];
    const input = Object.fromEntries(names.map((name) => [name, NO_IDS[name] ?? "none_x"]));
    // Logging out twice is no failure.
    if (needsKey && id !== "logOut") await call(id, { expect: 401, input, key: wrong });
    if (id === "logOut" || id === "refreshSession") continue;
    const json = operation.requestBody?.content["application/json"];
    if (json) {
      // Malformed JSON would hang prism, which parses bodies itself; the API's own tests send it.
      await call(id, { expect: 400, input, text: "[]" });
      await call(id, { expect: 415, input, text: "<a/>", type: "text/html" });
    }
    if (method === "get" && path.startsWith("/v1/") && !USED_UP.has(id))
      await call(id, { expect: 400, input, extra: "unknown" });
    const isFoundByPath = names.some((name) => !(name in NO_IDS)) && id !== "eraseUser" && id !== "followClick";
    if (isFoundByPath && !USED_UP.has(id)) await call(id, { expect: 404, input });
  }
}
