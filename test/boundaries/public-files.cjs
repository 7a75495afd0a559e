// What other folders may import from a noun's folder in addition to its noun file, its operations, *.routes.ts and
// *.example.ts.

/** A file whose name begins with one of these (`create-channel.ts`) is an operation. Add new ones here. */
const verbs = (
  "accept acknowledge attribute authenticate cancel change checkpoint copy cordon count create credit decide delete end erase estimate exec explain extend follow forget get import invite issue join list pause peek presign purge put " +
  "read receive record redrive refresh remove rename replay report request resend reset resolve restore resume return reveal review revoke rotate send serve set start stop suspend switch test uncordon update verify write"
).split(" ");

/** What a folder exports to others: a subsystem's parts, and functions that operations of other nouns share. */
const shown = {
  "ads/auction": [
    "campaign-counts.sql",
    "click-rates",
    "expected-value",
    "load-click-rates",
    "load-term-affinity",
    "second-price",
    "term-affinity",
  ],
  "ads/budgets": ["local-days", "passes-pacing", "spend", "spent"],
  "ads/caps": ["cap-windows", "look-caps", "reserve-caps"],
  "ads/clawbacks": ["claw-back"],
  "ads/events": ["fact-rows"],
  "ads/matching": [
    "accumulators",
    "indexer",
    "inverted-index",
    "item-memory",
    "item-words",
    "match-keywords",
    "prepare-item",
    "serving-state",
    "snapshot",
    "weigh-words",
  ],
  "ads/network": ["network-blocks"],
  "ads/network-channels": ["channel-refs", "require-known-refs"],
  "ads/offer-records": ["offer-times", "stored-locale"],
  "ads/products": ["feed-format", "feed-line", "feed-result", "feed-tally", "run-import"],
  "ads/quotas": ["ads-quotas", "installation-limit", "item-counts.sql"],
  "ads/query": ["price-preference", "vocabulary"],
  "ads/ranking": ["decision", "fit-features"],
  "ads/serving": ["category-path", "neighbours", "offer-request", "price-at", "product-key"],
  "ads/signals": ["steering-signals"],
  "ads/targeting": ["eligibility", "filter-campaign"],
  "ads/text": ["general-words", "head-noun", "language-stem", "synonyms", "tokenizer"],
  "ads/traffic": ["agent-reason", "plausible-traffic", "traffic-reason"],
  "ads/users": ["subject-keys", "visitor-id"],
  "cloud/billing": ["metered-runs.sql", "pod-prices"],
  "cloud/chat-ledger": ["prompt-fields", "prompt-offers", "chat-sums"],
  "cloud/checkpoints": ["settle-checkpoint", "upload-files"],
  "cloud/gateway": ["prices", "chat-stages", "upstream"],
  "cloud/gpu-machines": ["gpu-machines.sql", "gpus-of-run"],
  "cloud/gpu-pools": [
    "cached-pool",
    "fleet",
    "fleet-upgrade",
    "gang-keeps.sql",
    "gpu-devices.sql",
    "gpu-pools.sql",
    "gpu-quotas",
    "gpu-share-weight",
    "nominations.sql",
  ],
  "cloud/nodes": [
    "joined-machine",
    "local-machine",
    "machine-keys",
    "machines",
    "nodes.sql",
    "runner-id",
    "runner-machine",
  ],
  "cloud/objects": ["bucket-contents", "checksums"],
  "cloud/pods": [
    ...["connect-pod", "pod-cost", "pod-fields", "port-path", "reclaim-pods", "require-runtime"],
    "wake-pods",
  ],
  "cloud/queue-log": ["queue-engine"],
  "cloud/quotas": ["cloud-quotas"],
  "cloud/reserved-gpus": [
    "capacity-calendar",
    "choose-devices",
    "free-for-on-demand",
    "pool-calendar",
    "reservation-room",
    "reserved-devices",
    "usable-devices",
  ],
  "cloud/scheduler": ["choose-victims", "gpu-request", "plan-gang", "pool-scheduler"],
  "cloud/secrets": ["redactor"],
  "cloud/storage": ["bucket", "bucket-rules", "buckets-by-name", "s3-credentials", "s3-endpoint"],
  "identity/actors": ["require-team-role"],
  "identity/api-keys": ["allowed-addresses"],
  "identity/audit": ["append-for-user", "changes-of", "stored-request"],
  "identity/events": ["event-kind"],
  "identity/invitations": ["claim-invitation"],
  "identity/log-ins": ["choose-tenant", "known-devices", "lock-account"],
  "identity/passwords": ["replace-password"],
  "identity/projects": ["find-project"],
  "identity/quotas": ["assert-quota", "quota.sql"],
  "identity/sessions": ["log-in", "log-out", "open-session"],
  "identity/sign-up": ["sign-up-mode"],
  "identity/tenants": ["member"],
  "identity/users": ["auth-token", "find-account", "hasher", "email-templates"],
};

/** Exceptions that others still import but should not: do not add to this list. */
const exceptions = {
  "ads/consent": ["rights"],
  "ads/earnings": ["pending"],
  "ads/events": ["claims.sql"],
  "ads/network": ["buyers.sql"],
  "ads/offer-records": ["offers.sql"],
  "ads/offers": ["offers-request"],
  "ads/signals": ["signals.sql"],
  "identity/projects": ["project.sql"],
  "identity/tenants": ["tenant.sql"],
};

const filesOf = (folders) =>
  Object.entries(folders).flatMap(([folder, names]) => names.map((name) => `server/${folder}/${name}.ts`));

/** @type {import("./check-boundaries.d.mts").PublicFiles} */
module.exports = { verbs, shown: filesOf(shown), exceptions: filesOf(exceptions) };
