import type { Metadata } from "next";
import { Call } from "../call";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { VerificationCode } from "./verification-tabs";

export const metadata: Metadata = { title: "Webhooks" };

const BODY = `{
  "id": "evt_01jd0z3k5q8v6w2x4y7a9b1c3d",
  "type": "project.created",
  "created_at": "2026-11-20T09:00:00.000Z",
  "tenant_id": "ten_01jd0z3k5q8v6w2x4y7a9b1c3d",
  "project_id": null,
  "mode": "live",
  "data": { "id": "prj_01jd0z3k5q8v6w2x4y7a9b1c3d", "name": "Checkout", "created_at": "2026-11-20T09:00:00.000Z" }
}`;

export default function WebhooksPage() {
  return (
    <DocsPage title="Webhooks" lead="svc calls a URL of yours when something happens, so that you need not poll.">
      <WhatTheyAre />
      <Create />
      <Verify />
      <Respond />
      <Retries />
      <Replay />
      <Rotation />
      <Order />
      <LocalDevelopment />
      <Addresses />
    </DocsPage>
  );
}

const WhatTheyAre = () => (
  <DocsSection id="requests" title="What is sent">
    <p>
      A webhook belongs to a project and a mode. Of the <DocsLink href="/docs/events">events</DocsLink> of its mode it
      receives those of its project and those of the whole tenant, as far as it subscribes to their kinds. Each event is
      one POST request with a JSON body. Events are recorded in the transaction of the change that causes them: there is
      an event if and only if the change was committed.
    </p>
    <DocsCode label="Body" code={BODY} language="json" />
    <Definitions
      label="Headers of a delivery"
      rows={[
        ["X-SVC-Timestamp", "When this attempt was signed, in Unix seconds."],
        [
          "X-SVC-Signature",
          "t=<Unix seconds>,v1=<hex>: the HMAC-SHA256 of <Unix seconds>.<raw body>, with the whole secret, whsec_ included, as the key. During a rotation there are two v1.",
        ],
        [
          "webhook-id, webhook-timestamp, webhook-signature",
          "The same in the format of Standard Webhooks, for its libraries. webhook-id is the id of the event.",
        ],
      ]}
    />
  </DocsSection>
);

const Create = () => (
  <DocsSection id="create" title="Create a webhook">
    <p>
      On the dashboard&apos;s <DocsLink href="/cloud/webhooks">Webhooks</DocsLink>, or with a platform key with the
      scope <Code>webhooks:write</Code>. <Code>events</Code> has kinds such as <Code>campaign.created</Code>, prefixes
      such as <Code>campaign.*</Code>, or <Code>*</Code> for everything, also for kinds that later versions add.
    </p>
    <KeyField kind="platform" />
    <Call
      title="Create a webhook"
      call="POST /v1/webhooks"
      isIdempotent
      body={{ name: "Quick start", url: "https://example.com/webhooks", events: ["campaign.*", "api_key.created"] }}
      saveAs={["id", "webhook_id"]}
    />
    <p>
      Only this response contains <Code>secret</Code>. Store it now; svc keeps it encrypted and never shows it again. A
      test event shows what your endpoint responds, at once and without retries. It is the example of a kind, with an
      event id of its own, which the list of events contains, too; it is sent to this webhook only. The URL of this
      example does not accept it.
    </p>
    <Call title="Send a test event" call="POST /v1/webhooks/<webhook_id>/test" body={{ type: "campaign.created" }} />
    <Call title="List deliveries" call="GET /v1/webhooks/<webhook_id>/deliveries?limit=10" />
  </DocsSection>
);

const Verify = () => (
  <DocsSection id="verify" title="Verify requests">
    <p>
      Anyone can call your URL, so verify each request before you use it: compute the signature over the raw body, as it
      was received and before it is parsed; compare it in constant time; and reject a timestamp that is more than 300
      seconds from now, in the past or in the future. These receivers do that. They read the secret from the environment
      variable <Code>SVC_WEBHOOK_SECRET</Code>.
    </p>
    <VerificationCode />
    <p>
      Libraries of Standard Webhooks, and Stripe&apos;s with <Code>X-SVC-Signature</Code>, verify the requests as well.
      Stripe&apos;s accepts timestamps in the future.
    </p>
  </DocsSection>
);

const Respond = () => (
  <DocsSection id="respond" title="Respond">
    <p>
      Respond with a 2xx status within 10 seconds, counted from the lookup of the host name. Process what takes longer
      afterwards. Any other status is a failure, redirects included: they are not followed. Of the body that comes
      within the 10 seconds, the first 64 KiB are kept in the log of deliveries for 30 days.
    </p>
  </DocsSection>
);

const Retries = () => (
  <DocsSection id="retries" title="Retries">
    <p>
      A failed attempt is retried 5 times within 24 hours of the first one. Each pause is up to 20 % longer or shorter,
      so that deliveries that failed together are not repeated together.
    </p>
    <Definitions
      label="Pauses before retries"
      rows={[
        ["1st retry", "after 1 minute"],
        ["2nd retry", "after another 10 minutes"],
        ["3rd retry", "after another hour"],
        ["4th retry", "after another 5 hours"],
        ["5th retry", "after another 17.8 hours, at the latest 24 hours after the first attempt"],
      ]}
    />
    <Definitions
      label="What a response changes"
      rows={[
        ["Retry-After", "Seconds or a date: the next attempt is not made before then, within the 24 hours."],
        ["410 Gone", "Disables the webhook at once."],
        ["Only failures for 5 days", "Disable the webhook."],
      ]}
    />
    <p>
      When svc disables a webhook, it records the event <Code>webhook.disabled</Code> and emails the owners of the
      tenant. A disabled webhook receives nothing, and its pending deliveries fail. Events that happen meanwhile are not
      delivered later; <Code>GET /v1/events</Code> lists them for 30 days.
    </p>
  </DocsSection>
);

const Replay = () => (
  <DocsSection id="replay" title="Replay">
    <p>
      <Code>{"POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay"}</Code> sends the event of a delivery again and
      returns the result. <Code>{"POST /v1/webhooks/{id}/deliveries/replay"}</Code> does so in the background for the
      failed deliveries, or those that succeeded, of a time range: at most 10,000 per call, the oldest first;{" "}
      <Code>next_from</Code> is where the next call starts. A replay has the id of the original event and all retries.
      Both are on the webhook&apos;s page, too.
    </p>
  </DocsSection>
);

const Rotation = () => (
  <DocsSection id="rotation" title="Rotate the secret">
    <p>
      <Code>{"POST /v1/webhooks/{id}/rotate-secret"}</Code> returns a new secret. For 24 hours each request has two
      signatures, one with each secret, so that your endpoint accepts it before and after you change its secret. If you
      rotate again within this time, the oldest secret stops signing immediately.
    </p>
  </DocsSection>
);

const Order = () => (
  <DocsSection id="order" title="Order and duplicates">
    <p>
      Delivery is at least once and in no guaranteed order: an attempt that you processed but did not confirm in time is
      repeated, and a retry may come after newer events. Store the <Code>id</Code> of each event that you have
      processed, and ignore it when it comes again. Where order matters, read the current state of the object by API, or
      follow <DocsLink href="/docs/events#follow">the list of events</DocsLink>, which is ordered.
    </p>
  </DocsSection>
);

const LocalDevelopment = () => (
  <DocsSection id="local" title="Local development">
    <p>
      The command line forwards events to a program on your machine, without a public URL and without a webhook: it
      follows the list of events and posts each one, signed in the same way, with a secret that it prints at the start,
      or with yours: <Code>--secret -</Code> reads it from standard input. It receives what its key, with the scope{" "}
      <Code>webhooks:read</Code>, can read, and does not retry.
    </p>
    <DocsCode
      label="Forward events"
      code={`svc webhooks listen --forward localhost:4000
svc webhooks listen --forward localhost:4000/webhooks --events 'campaign.*,api_key.*'`}
      language="bash"
    />
    <p>
      While svc itself runs on a loopback address, webhooks may also use http and https URLs on <Code>localhost</Code>{" "}
      and other loopback addresses.
    </p>
  </DocsSection>
);

const Addresses = () => (
  <DocsSection id="addresses" title="Refused addresses">
    <p>
      Tenants choose the URLs that svc requests, so svc requests only what is public. A URL is checked when it is saved,
      as far as that is possible without DNS, and its addresses before every attempt; the connection goes to an address
      that was checked, so that a name that changes its address in between has no effect.
    </p>
    <Definitions
      label="Refused URLs"
      rows={[
        ["not_https", "The URL does not begin with https:."],
        ["has_credentials", "The URL contains a user name or a password."],
        ["own_host", "The host is svc itself."],
        [
          "address_not_public",
          "One of the host's addresses is private, loopback, link-local, shared (CGNAT), multicast, reserved, or an IPv6 address that maps or translates to IPv4 (NAT64 among them), in any notation.",
        ],
      ]}
    />
    <p>
      The names are those of <Code>details.reason</Code> in the error when you create or change a webhook. In the log of
      deliveries such an attempt has an error and no status.
    </p>
  </DocsSection>
);
