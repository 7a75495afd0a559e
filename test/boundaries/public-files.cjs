// What other folders may import from a noun's folder in addition to its noun file, its operations, *.routes.ts and
// *.example.ts.

/** A file whose name begins with one of these (`create-channel.ts`) is an operation. Add new ones here. */
const verbs = (
  "accept acknowledge activate attribute authenticate cancel change checkpoint copy cordon count create credit deactivate decide delete deploy end erase estimate exec explain extend follow forget get import invite invoke issue join list move pause peek presign publish purge put " +
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
    "term-affinity"
  ],
  "ads/budgets": [
    "local-days",
    "passes-pacing",
    "spend",
    "spent"
  ],
  "ads/caps": [
    "cap-counts",
    "cap-windows",
    "look-caps",
    "reserve-caps"
  ],
  "ads/clawbacks": [
    "claw-back"
  ],
  "ads/events": [
    "claims",
    "fact-log",
    "fact-rows"
  ],
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
    "weigh-words"
  ],
  "ads/network": [
    "network-blocks"
  ],
  "ads/network-channels": [
    "channel-refs",
    "require-known-refs"
  ],
  "ads/offer-records": [
    "offer-times",
    "stored-locale"
  ],
  "ads/products": [
    "feed-format",
    "feed-limits",
    "feed-line",
    "feed-result",
    "feed-tally",
    "run-import"
  ],
  "ads/query": [
    "price-preference",
    "vocabulary"
  ],
  "ads/quotas": [
    "installation-limit",
    "item-counts.sql",
    "item-quotas"
  ],
  "ads/ranking": [
    "decision",
    "decision-memory",
    "fit-features"
  ],
  "ads/serving": [
    "category-path",
    "neighbours",
    "offer-request",
    "price-at",
    "product-key"
  ],
  "ads/signals": [
    "signal-memory",
    "steering-signals"
  ],
  "ads/targeting": [
    "eligibility",
    "filter-campaign"
  ],
  "ads/traffic": [
    "plausible-traffic",
    "traffic-reason"
  ],
  "ads/users": [
    "subject-keys",
    "visitor-id"
  ],
  "ads/vectors": [
    "nearest-items"
  ],
  "cloud/ai/gateway": [
    "chat-fields",
    "chat-model",
    "chat-origin",
    "chat-stages",
    "prices",
    "upstream",
    "upstream-failure"
  ],
  "cloud/ai/inference": [
    "endpoint-kind"
  ],
  "cloud/ai/ledger": [
    "chat-ledger",
    "chat-sums",
    "prompt-fields",
    "prompt-offers"
  ],
  "cloud/compute/checkpoints": [
    "upload-files"
  ],
  "cloud/compute/clusters": [
    "cluster-host"
  ],
  "cloud/compute/function-pods": [
    "pod-of-version"
  ],
  "cloud/compute/gpu-machines": [
    "gpu-nodes.sql",
    "gpus-of-run"
  ],
  "cloud/compute/inside": [
    "inside-fields",
    "inside-files",
    "page-of-kind",
    "program-inside",
    "reach-started",
    "run-inside",
    "until-started"
  ],
  "cloud/compute/instances": [
    "instance-skus"
  ],
  "cloud/compute/nodes": [
    "claimed-node",
    "local-node",
    "node-id",
    "node-keys",
    "nodes.sql",
    "remote-node"
  ],
  "cloud/compute/own-upgrades": [
    "upgrade-kind"
  ],
  "cloud/compute/pods": [
    "add-run",
    "assert-may-enter",
    "choose-node",
    "connect-pod",
    "connection-to",
    "eligible-nodes",
    "execute-to-end",
    "find-pod",
    "place-run",
    "pod-cost",
    "pod-fields",
    "pod-request",
    "pod-runs",
    "pod-states",
    "pods.sql",
    "port-path",
    "reach-run",
    "reclaim-pods",
    "require-runtime",
    "terminal-of-run",
    "terminal-session",
    "volumes.sql"
  ],
  "cloud/compute/pools": [
    "cached-pool",
    "fleet",
    "fleet-upgrade",
    "gang-keeps.sql",
    "gpu-devices.sql",
    "gpu-quotas",
    "gpu-share-weight",
    "node-health",
    "nominations.sql",
    "own-nodes.sql",
    "pools.sql"
  ],
  "cloud/compute/reserved-gpus": [
    "capacity-calendar",
    "choose-devices",
    "free-for-on-demand",
    "pool-calendar",
    "reservation-room",
    "reserved-devices",
    "usable-devices"
  ],
  "cloud/compute/scheduler": [
    "choose-victims",
    "gpu-request",
    "plan-gang",
    "pool-scheduler"
  ],
  "cloud/compute/volume-snapshots": [
    "place-volume",
    "want-volume"
  ],
  "cloud/compute/workers": [
    "code-env",
    "require-reveal",
    "worker-modules"
  ],
  "cloud/compute/workspaces": [
    "connect-workspace",
    "open-workspace",
    "workspace-hosts",
    "workspace-program"
  ],
  "cloud/core/prices": [
    "gpu-models",
    "network-prices",
    "pod-prices",
    "storage-prices"
  ],
  "cloud/core/quarantine": [
    "quarantine-unknown"
  ],
  "cloud/core/resources": [
    "family",
    "find-resource",
    "planes",
    "redacted-spec",
    "reference-fields",
    "require-active",
    "resource-fields",
    "resource-reconciler",
    "run-as-creator",
    "secret-hash",
    "sku"
  ],
  "cloud/core/stored-bytes": [
    "add-stored-bytes"
  ],
  "cloud/data/buckets": [
    "bucket-fields",
    "bucket-rules",
    "buckets-by-name",
    "find-bucket",
    "object-fields",
    "s3-credentials",
    "s3-endpoint",
    "storage-tier"
  ],
  "cloud/data/model-conversions": [
    "conversion-kind"
  ],
  "cloud/data/models": [
    "bucket-files",
    "conversion",
    "convert-model",
    "dtypes",
    "https-source",
    "parse-model-uri"
  ],
  "cloud/data/objects": [
    "bucket-contents",
    "checksums",
    "tiers"
  ],
  "cloud/data/queue-log": [
    "queue-engine"
  ],
  "cloud/data/queues": [
    "find-queue",
    "message"
  ],
  "cloud/data/secrets": [
    "assert-may-name-secrets",
    "redactor"
  ],
  "cloud/data/volumes": [
    "attach-volumes",
    "pod-mounts",
    "snapshot-archive",
    "volume-spec",
    "volumes.sql"
  ],
  "cloud/edge/workers": [
    "edge-fields",
    "edge-runner",
    "hosted-kind",
    "hosted-response"
  ],
  "cloud/money/billing": [
    "billing-fields",
    "metered-runs.sql",
    "usage"
  ],
  "cloud/net/private-networks": [
    "cidr",
    "network-updates",
    "networks.sql",
    "sweep-networks",
    "take-address"
  ],
  "cloud/obs/ingest": [
    "store-kind",
    "telemetry-log"
  ],
  "guard/bots": [
    "agent-reason"
  ],
  "guard/detectors": [
    "rule",
    "rules",
    "scan-content"
  ],
  "guard/text": [
    "general-words",
    "head-noun",
    "language-stem",
    "synonyms",
    "tokenizer"
  ],
  "identity/actors": [
    "require-team-role"
  ],
  "identity/api-keys": [
    "allowed-addresses"
  ],
  "identity/audit": [
    "append-for-user",
    "changes-of",
    "stored-request"
  ],
  "identity/events": [
    "event-kind"
  ],
  "identity/invitations": [
    "claim-invitation"
  ],
  "identity/log-ins": [
    "choose-tenant",
    "known-devices",
    "lock-account"
  ],
  "identity/passwords": [
    "replace-password"
  ],
  "identity/projects": [
    "find-project",
    "owner-scope"
  ],
  "identity/quotas": [
    "assert-quota",
    "quota.sql"
  ],
  "identity/sessions": [
    "open-session"
  ],
  "identity/sign-up": [
    "sign-up-mode"
  ],
  "identity/tenants": [
    "member"
  ],
  "identity/users": [
    "auth-token",
    "email-templates",
    "find-account",
    "hasher"
  ]
};

/** Exceptions that others still import but should not: do not add to this list. */
const exceptions = {
  "ads/consent": ["rights"],
  "ads/earnings": ["pending"],
  "ads/events": ["claims.sql"],
  "ads/network": ["buyers.sql"],
  "ads/offer-records": ["offers.sql"],
  "ads/offers": ["offers-request"],
  "identity/projects": ["project.sql"],
  "identity/tenants": ["tenant.sql"],
};

const filesOf = (folders) =>
  Object.entries(folders).flatMap(([folder, names]) => names.map((name) => `server/${folder}/${name}.ts`));

/** @type {import("./check-boundaries.d.mts").PublicFiles} */
module.exports = { verbs, shown: filesOf(shown), exceptions: filesOf(exceptions) };
