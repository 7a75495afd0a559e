import { createAdvertiser } from "../../server/ads/advertisers/create-advertiser";
import { verifyDomain } from "../../server/ads/advertisers/verify-domain";
import { createCampaign } from "../../server/ads/campaigns/create-campaign";
import { createChannel } from "../../server/ads/channels/create-channel";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import { createCreative } from "../../server/ads/creatives/create-creative";
import { setFeedSchedule } from "../../server/ads/feed-schedules/set-feed-schedule";
import { importProducts } from "../../server/ads/products/import-products";
import { listProducts } from "../../server/ads/products/list-products";
import { createChatBudget } from "../../server/cloud/ai/ledger/create-chat-budget";
import { createChatUpstream } from "../../server/cloud/ai/upstreams/create-chat-upstream";
import type { CloudParts } from "../../server/cloud/cloud-parts";
import { createFunction } from "../../server/cloud/compute/functions/create-function";
import { createPod } from "../../server/cloud/compute/pods/create-pod";
import { createReservation } from "../../server/cloud/compute/reservations/create-reservation";
import { createSandbox } from "../../server/cloud/compute/sandboxes/create-sandbox";
import { createWorkspace } from "../../server/cloud/compute/workspaces/create-workspace";
import type { ResourceState } from "../../server/cloud/core/records/resource-states";
import { activateService } from "../../server/cloud/core/resources/activate-service";
import { deactivateService } from "../../server/cloud/core/resources/deactivate-service";
import { createBucket } from "../../server/cloud/data/buckets/create-bucket";
import { createQueue } from "../../server/cloud/data/queues/create-queue";
import { createSecret } from "../../server/cloud/data/secrets/create-secret";
import { createEdgeFunction } from "../../server/cloud/edge/workers/create-edge-function";
import { createWebhook } from "../../server/cloud/events/webhooks/create-webhook";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import type { AccountCtx, SessionView } from "../../server/identity/identity-ctx";
import { inviteMember } from "../../server/identity/invitations/invite-member";
import { createProject } from "../../server/identity/projects/create-project";
import { listSessions } from "../../server/identity/sessions/list-sessions";
import { logIn } from "../../server/identity/sessions/log-in";
import { signUp } from "../../server/identity/sign-up/sign-up";
import type { PersonActor } from "../../server/operation/actor";
import { streamOf } from "./ads";
import type { AdsCtx } from "./ads-ctx";
import { TEST_REQUEST, type TestApp } from "./app";
import { makeInstance, makeSharedVolume, makeVolumeSnapshot } from "./cloud-rows";
import { PASSWORD } from "./identity";

/** A feed of one product. */
export const ONE_PRODUCT = JSON.stringify({ id: "1", title: "Boot", link: "https://shop.example/1" });

export const CREATIVE = { title: "Boots", content: "Dry", cta: "See", landing_url: "https://shop.example/boots" };

/** A logged-in user, and everything that operations need except the cache of tenants, which only reads use. */
export type LoggedIn = AdsCtx & CloudParts & AccountCtx & { actor: PersonActor; session: SessionView };

/** An owner, and factories for what a test changes: users in and around the owner's tenant, and resources in it. */
export async function accountScene({ app, engines: { db } }: TestApp) {
  let serial = 0;
  const unique = (word: string) => `${word}-${++serial}`;
  const newEmail = () => `${unique("person")}@example.com`;
  const visitor = () => ({ ...app.account, request: TEST_REQUEST });
  const newPerson = async (email = newEmail(), invitation_token?: string): Promise<LoggedIn> => {
    const invitation = invitation_token === undefined ? {} : { invitation_token };
    const { cookie } = await signUp.run(visitor(), { email, password: PASSWORD, ...invitation });
    const session = await app.session(cookie.split(";")[0] ?? "");
    if (!session) throw new Error("a sign-up opened no session");
    return { ...app.account, ...app.ads, ...app.cloud, request: TEST_REQUEST, actor: session.actor, session };
  };
  const owner = await newPerson();
  /** The token in the email that `send` writes to an address, or in the one that is already there. */
  const tokenFor = async (to: string, send?: () => Promise<unknown>): Promise<string> => {
    if (send) await db.email.deleteMany({ where: { to } });
    await send?.();
    const email = await db.email.findFirstOrThrow({ where: { to } });
    return /token=([a-z2-7]+)/.exec(email.text)?.[1] ?? "";
  };
  const invite = (email: string) => inviteMember.run(owner, { email, role: "member" });
  const advertiser = (fields: { domain?: string; mode?: "live" } = {}) =>
    createAdvertiser.run(owner, { name: "Acme", ...fields });
  const verifiedAdvertiser = async () => verifyDomain.run(owner, await advertiser({ domain: "acme.example" }));
  const channel = () => createChannel.run(owner, createChannel.input.parse({ name: "Shop" }));
  const campaign = async () => {
    const fields = { advertiser_id: (await advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 };
    return createCampaign.run(owner, createCampaign.input.parse(fields));
  };
  const webhook = () => {
    const fields = { name: unique("webhook"), url: "https://receiver.example/", events: ["*"] };
    return createWebhook.run(owner, createWebhook.input.parse(fields));
  };
  const sandbox = () => createSandbox.run(owner, createSandbox.input.parse({ image: "alpine", memory_mb: 64 }));
  const workspace = () => {
    const fields = { name: "w", image: "alpine", memory_mb: 64, disk_gb: 1 };
    return createWorkspace.run(owner, createWorkspace.input.parse(fields));
  };
  const pod = () => createPod.run(owner, createPod.input.parse({ image: "alpine", memory_mb: 64 }));
  const reservation = () =>
    createReservation.run(owner, createReservation.input.parse({ gpu: "l40s", count: 1, duration: "30d" }));
  const queue = () => createQueue.run(owner, createQueue.input.parse({ name: unique("queue") }));
  const bucket = () => createBucket.run(owner, createBucket.input.parse({ name: unique("bucket") }));
  const budget = () =>
    createChatBudget.run(owner, createChatBudget.input.parse({ name: unique("budget"), tokens: 100, window: "day" }));
  const cloudFunction = () => createFunction.run(owner, createFunction.input.parse({ name: unique("function") }));
  const edgeFunction = () => {
    const code = "export default { fetch: () => new Response() };";
    return createEdgeFunction.run(owner, createEdgeFunction.input.parse({ name: unique("edge"), code }));
  };
  const secret = () =>
    createSecret.run(owner, createSecret.input.parse({ name: unique("secret"), value: "correct horse" }));
  const chatUpstream = () =>
    createChatUpstream.run(
      owner,
      createChatUpstream.input.parse({
        name: unique("upstream"),
        base_url: "https://api.example/v1",
        models: [{ name: "m" }],
      }),
    );
  const { tenantId } = owner.actor;
  /** A CPU instance of an activated service, which nothing looks at by itself. */
  const instance = async (state: ResourceState, { isActive = true } = {}) => {
    const { id: projectId } = await db.project.findFirstOrThrow({ where: { tenantId } });
    const change = isActive ? activateService : deactivateService;
    await change.run(owner, change.input.parse({ service: "cpu" }) as never).catch(() => undefined);
    await db.resource.updateMany({ where: { tenantId }, data: { nextAt: null } });
    return makeInstance({ db, clock: owner.clock }, { tenantId, projectId, mode: "test", state });
  };
  const ownerOfRows = async () => {
    const { id: projectId } = await db.project.findFirstOrThrow({ where: { tenantId } });
    return { tenantId, projectId, mode: "test" as const };
  };
  const rowCtx = { db, clock: owner.clock };
  const sharedVolume = async () => makeSharedVolume(rowCtx, await ownerOfRows());
  const volumeSnapshot = async (volumeId: string) => makeVolumeSnapshot(rowCtx, { ...(await ownerOfRows()), volumeId });
  /** Makes the service `dfs` one that is not activated. */
  const deactivate = () => db.activation.deleteMany({ where: { tenantId, service: "dfs" } });
  const project = () => createProject.run(owner, { name: unique("project") });
  const keyFields = async () => ({ name: "ci", project: (await project()).id, scopes: ["ads:read"] });
  return {
    owner,
    unique,
    chatUpstream,
    newEmail,
    visitor,
    newPerson,
    tokenFor,
    invite,
    advertiser,
    verifiedAdvertiser,
    channel,
    campaign,
    webhook,
    pod,
    sandbox,
    workspace,
    reservation,
    queue,
    bucket,
    secret,
    cloudFunction,
    edgeFunction,
    budget,
    project,
    instance,
    deactivate,
    sharedVolume,
    volumeSnapshot,
    keyFields,
    /** A member of the owner's tenant only. */
    async member(): Promise<LoggedIn> {
      const email = newEmail();
      return newPerson(email, await tokenFor(email, () => invite(email)));
    },
    /** A user with a tenant of their own, and the token of an invitation into the owner's. */
    async guest(): Promise<{ as: LoggedIn; token: string }> {
      const as = await newPerson();
      const { email } = as.session.user;
      return { as, token: await tokenFor(email, () => invite(email)) };
    },
    /** A user with two sessions; the id is that of the second. */
    async twiceLoggedIn(): Promise<{ as: LoggedIn; otherId: string }> {
      const as = await newPerson();
      await logIn.run(visitor(), { email: as.session.user.email, password: PASSWORD });
      const other = (await listSessions.run(as, {})).find(({ current }) => !current);
      return { as, otherId: other?.id ?? "" };
    },
    /** A campaign with a feed schedule. */
    async scheduledCampaign(url: string) {
      const { id } = await campaign();
      await setFeedSchedule.run(owner, setFeedSchedule.input.parse({ id, url }));
      return id;
    },
    async channelKey() {
      const { id } = await channel();
      return { id, key_id: (await createChannelKey.run(owner, { id, kind: "server" })).id };
    },
    async creative() {
      const made = await createCreative.run(owner, { id: (await campaign()).id, ...CREATIVE });
      return { id: made.campaign_id, creative_id: made.id };
    },
    async product() {
      const { id } = await campaign();
      const feed = importProducts.input.parse({ id, content_type: "application/x-ndjson" });
      await importProducts.run(owner, feed, { body: streamOf(ONE_PRODUCT) });
      return { id, product_id: (await listProducts.run(owner, { id, limit: 1 })).data[0]?.id };
    },
    key: async () => createApiKey.run(owner, createApiKey.input.parse(await keyFields())),
  };
}

export type AccountScene = Awaited<ReturnType<typeof accountScene>>;
