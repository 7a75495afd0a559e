import { createAdvertiser } from "../../server/ads/advertisers/create-advertiser";
import { CreateCampaign, createCampaign } from "../../server/ads/campaigns/create-campaign";
import { CreateChannel, createChannel } from "../../server/ads/channels/create-channel";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import { createCreative } from "../../server/ads/creatives/create-creative";
import { ImportProducts, importProducts } from "../../server/ads/products/import-products";
import { listProducts } from "../../server/ads/products/list-products";
import type { CloudCtx } from "../../server/http/cloud-ctx";
import type { PersonActor } from "../../server/identity/actors/actor";
import { CreateApiKey, createApiKey } from "../../server/identity/api-keys/create-api-key";
import { inviteMember } from "../../server/identity/invitations/invite-member";
import { createProject } from "../../server/identity/projects/create-project";
import { listSessions } from "../../server/identity/sessions/list-sessions";
import { logIn } from "../../server/identity/users/log-in";
import { signUp } from "../../server/identity/users/sign-up";
import type { SessionView } from "../../server/trpc/trpc";
import { streamOf } from "./ads";
import { TEST_REQUEST, type TestApp } from "./app";
import { PASSWORD } from "./identity";

/** A feed of one product. */
export const ONE_PRODUCT = JSON.stringify({ id: "1", title: "Boot", link: "https://shop.example/1" });

export const CREATIVE = { title: "Boots", content: "Dry", cta: "See", landing_url: "https://shop.example/boots" };

/** Somebody who is logged in, and everything that verbs take but the cache of tenants, which only reads ask. */
export type LoggedIn = Omit<CloudCtx, "tenants"> & { actor: PersonActor; session: SessionView };

/** An owner, and makers of what a test changes: people of and around the owner's tenant, and things in it. */
export async function accountScene({ app, engines: { db } }: TestApp) {
  let serial = 0;
  const unique = (word: string) => `${word}-${++serial}`;
  const newEmail = () => `${unique("person")}@example.com`;
  const visitor = () => ({ ...app.account, request: TEST_REQUEST });
  const newPerson = async (email = newEmail(), invitation_token?: string): Promise<LoggedIn> => {
    const invitation = invitation_token === undefined ? {} : { invitation_token };
    const { cookie } = await signUp(visitor(), { email, password: PASSWORD, ...invitation });
    const session = await app.session(cookie.split(";")[0] ?? "");
    if (!session) throw new Error("a sign-up opened no session");
    return { ...app.account, ...app.ads, request: TEST_REQUEST, actor: session.actor, session };
  };
  const owner = await newPerson();
  /** The token in the letter that `send` writes to an address, or in the one that stands there. */
  const tokenFor = async (to: string, send?: () => Promise<unknown>): Promise<string> => {
    if (send) await db.email.deleteMany({ where: { to } });
    await send?.();
    const letter = await db.email.findFirstOrThrow({ where: { to } });
    return /token=([a-z2-7]+)/.exec(letter.text)?.[1] ?? "";
  };
  const invite = (email: string) => inviteMember(owner, { email, role: "member" });
  const advertiser = () => createAdvertiser(owner, { name: "Acme" });
  const channel = () => createChannel(owner, CreateChannel.parse({ name: "Shop" }));
  const campaign = async () => {
    const fields = { advertiser_id: (await advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 };
    return createCampaign(owner, CreateCampaign.parse(fields));
  };
  const project = () => createProject(owner, { name: unique("project") });
  const keyFields = async () => ({ name: "ci", project: (await project()).id, scopes: ["ads:read"] });
  return {
    ...{
      owner,
      unique,
      newEmail,
      visitor,
      newPerson,
      tokenFor,
      invite,
      advertiser,
      channel,
      campaign,
      project,
      keyFields,
    },
    /** Somebody of the owner's tenant alone. */
    async member(): Promise<LoggedIn> {
      const email = newEmail();
      return newPerson(email, await tokenFor(email, () => invite(email)));
    },
    /** Somebody with a tenant of their own, and the token of an invitation into the owner's. */
    async guest(): Promise<{ as: LoggedIn; token: string }> {
      const as = await newPerson();
      const { email } = as.session.user;
      return { as, token: await tokenFor(email, () => invite(email)) };
    },
    /** Somebody with two sessions; the id is that of the second. */
    async twiceLoggedIn(): Promise<{ as: LoggedIn; otherId: string }> {
      const as = await newPerson();
      await logIn(visitor(), { email: as.session.user.email, password: PASSWORD });
      const other = (await listSessions(as, {})).find(({ current }) => !current);
      return { as, otherId: other?.id ?? "" };
    },
    async channelKey() {
      const { id } = await channel();
      return { id, key_id: (await createChannelKey(owner, { id, kind: "server" })).id };
    },
    async creative() {
      const made = await createCreative(owner, { id: (await campaign()).id, ...CREATIVE });
      return { id: made.campaign_id, creative_id: made.id };
    },
    async product() {
      const { id } = await campaign();
      const feed = ImportProducts.parse({ id, content_type: "application/x-ndjson" });
      await importProducts(owner, { ...feed, body: streamOf(ONE_PRODUCT) });
      return { id, product_id: (await listProducts(owner, { id, limit: 1 })).data[0]?.id };
    },
    key: async () => createApiKey(owner, CreateApiKey.parse(await keyFields())),
  };
}

export type AccountScene = Awaited<ReturnType<typeof accountScene>>;
