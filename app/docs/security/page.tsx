import type { Metadata } from "next";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";

export const metadata: Metadata = { title: "Security" };

export default function SecurityPage() {
  return (
    <DocsPage
      title="Security"
      lead="What listens where, who may reach it, what a tenant can do, and how to report a vulnerability."
    >
      <Listeners />
      <Hosts />
      <Accounts />
      <Tenants />
      <Network />
      <Traffic />
      <Secrets />
      <Report />
    </DocsPage>
  );
}

const Listeners = () => (
  <DocsSection id="listeners" title="Listeners">
    <p>
      Only the web server is meant for other machines. Every embedded engine listens only on the loopback interface and
      rejects every request without the password that was generated for it.
    </p>
    <Definitions
      label="Listeners"
      rows={[
        [
          "Web server",
          "HOST:PORT: pages, both APIs, the widget and the probes. With TLS_CERT and TLS_KEY it accepts TLS 1.3 only.",
        ],
        [
          "PostgreSQL",
          "127.0.0.1, on a free port. Every connection needs the generated password (SCRAM-SHA-256). It has no Unix socket. Started by root, it runs under a user id of its own between 60578 and 61183; a data directory of root or nobody is handed over at the next start.",
        ],
        [
          "ClickHouse",
          "127.0.0.1, on a free port, over HTTP. Every request needs a token and a password that are generated at each start. Its user can read and write the tables of svc, and nothing else: no files, no URLs, no other servers. On Linux 5.19 and newer the kernel (Landlock) also confines the engine to its own folder; from 6.7 on it opens no outgoing TCP connection. Without Landlock, privileges alone apply, and the log says at the start what is not protected and what to do.",
        ],
      ]}
    />
    <p>
      An engine of your own, set with <Code>DATABASE_URL</Code>, <Code>CLICKHOUSE_URL</Code> or <Code>REDIS_URL</Code>,
      must be protected by you: give svc a user with only the rights that are listed under{" "}
      <DocsLink href="/docs/production#processes">Production</DocsLink>.
    </p>
  </DocsSection>
);

const Hosts = () => (
  <DocsSection id="hosts" title="Host names and proxies">
    <p>
      A request is rejected with 400 unless its <Code>Host</Code> header names the host of <Code>PUBLIC_URL</Code>, a
      loopback name with the port of svc, or an entry of <Code>SVC_ALLOWED_HOSTS</Code>. This stops DNS rebinding. The
      probes also accept a literal IP address. <Code>X-Forwarded-For</Code> is read only from{" "}
      <Code>TRUSTED_PROXIES</Code>, and <Code>X-Forwarded-Host</Code> never.
    </p>
    <p>
      The outbox page shows unsent email during development. It exists only while <Code>PUBLIC_URL</Code> is a loopback
      address, accepts only direct connections from this machine, and shows only the email of the tenant you are logged
      in to.
    </p>
  </DocsSection>
);

const Accounts = () => (
  <DocsSection id="accounts" title="Accounts">
    <Definitions
      label="Protection of accounts"
      rows={[
        ["Passwords", "Stored as Argon2id hashes. Sessions and tokens are stored as SHA-256 hashes."],
        [
          "Wrong passwords",
          "Limited for each account and network. A browser that has logged in before has a limit of its own, so nobody else can lock it out. After 100 wrong passwords for one account, from wherever they come, a login from an unknown browser also needs a code that is sent by email.",
        ],
        [
          "Sign-up and reset",
          "The response is the same whether or not the address has an account; the owner of the address is notified by email.",
        ],
        [
          "Roles",
          "An owner can do everything, an admin everything except deleting the tenant; a member cannot manage keys or the team.",
        ],
        ["Audit log", "Every change is an entry in a hash chain that can be verified."],
      ]}
    />
  </DocsSection>
);

const Tenants = () => (
  <DocsSection id="tenants" title="What a tenant can do">
    <p>
      A tenant reads and changes only its own objects, in the mode of its key. Everything that a request can make svc
      store or compute has a limit; beyond it the request is rejected with an error that names the limit.
    </p>
    <Definitions
      label="Limits on requests"
      rows={[
        [
          "JSON",
          "256 KiB, 32 levels and 10,000 values, or 20 MiB, 64 levels and 400,000 values for chat; no NUL characters, broken surrogate pairs or fields such as __proto__.",
        ],
        [
          "Rate limits",
          "By key on the platform API, by user on the dashboard's own API, by address without either. Expensive operations have a lower limit on both.",
        ],
        [
          "Product feeds",
          "Decompressed and parsed outside the web server's thread, within limits of size, ratio, rows, line length and time. One import for each campaign at a time.",
        ],
        [
          "Pods",
          "Run programs of tenants on the machine of svc, in namespaces of the kernel whose only network is an HTTP proxy to public addresses: enough against mistakes, not against attackers. Accept only tenants that you trust, or set RUNTIME=off. With RUNTIME=process, which must be set, pods of test keys have all rights of the user of svc, who can read every secret of the installation.",
        ],
        ["Signals", "8 KiB each. The newest 50 of a user or session are kept, for 24 hours."],
        [
          "Quotas",
          "The number of projects, keys, channels, advertisers, campaigns, creatives, products, webhooks, pods, sandboxes, workspaces, queues, buckets, secrets, upstreams and budgets, GPUs by region, and the bytes and objects in buckets; an operator can change each.",
        ],
      ]}
    />
  </DocsSection>
);

const Network = () => (
  <DocsSection id="network" title="Ads on other publishers' channels">
    <p>
      A campaign with <Code>{'reach: "network"'}</Code> is served on channels of other tenants only when all of this is
      true:
    </p>
    <ul className="list-disc space-y-1.5 pl-6">
      <li>An owner of its tenant has a verified email address.</li>
      <li>
        Its advertiser is approved: its domain is verified by a DNS record or a file, and an operator has approved it.
        While <Code>PUBLIC_URL</Code> is a loopback address, approval is automatic.
      </li>
      <li>In live mode, the tenant&apos;s prepaid balance covers at least one event at the campaign&apos;s bid.</li>
      <li>
        The channel accepts it: a publisher chooses all advertisers, approved ones from a list, or only its own
        campaigns.
      </li>
      <li>Neither side has blocked the other.</li>
    </ul>
    <p>
      Charges are deducted from the balance in the transaction that counts the event, so a balance is never overspent. A
      bid above a documented bound must be confirmed.
    </p>
  </DocsSection>
);

const Traffic = () => (
  <DocsSection id="traffic" title="Invalid traffic and earnings">
    <p>
      Impressions and clicks of bots, data centers and repeats are recorded with their reason and not billed.
      Impressions that a publisher&apos;s server reports are billed only as far as visitors, click rate and addresses
      make them plausible: 60 a minute and 300 a day, and 200 a minute and 2,000 a day more for each network that people
      click or look from. Earnings are pending for 30 days, and an operator can claw them back; the advertiser then gets
      the charge back.
    </p>
    <p>
      An order that a pixel reports is <DocsLink href="/docs/pricing#earnings">unverified</DocsLink>, and reports show
      it separately.
    </p>
  </DocsSection>
);

const Secrets = () => (
  <DocsSection id="secrets" title="Secrets">
    <p>
      Platform keys and server keys are stored as SHA-256 hashes and shown once; browser keys, which are public, are
      also stored as text. The values of <DocsLink href="/docs/secrets">secrets</DocsLink> are encrypted, each version
      with a key of its own. Keys that svc itself uses are derived from <Code>SVC_SECRET</Code>, which is a file of mode
      0600 in the data directory unless you set it. Passwords of embedded engines are never in argument lists,
      environments or logs.
    </p>
  </DocsSection>
);

const Report = () => (
  <DocsSection id="report" title="Report a vulnerability">
    <p>
      Write to the operator of the installation. Operators set <Code>SVC_SECURITY_CONTACT</Code>, and{" "}
      <Code>/.well-known/security.txt</Code> then names it (RFC 9116). Include the request, the value of{" "}
      <Code>X-Request-ID</Code> in the response, and what you expected. Test only with accounts and keys of your own,
      and prefer test mode.
    </p>
  </DocsSection>
);
