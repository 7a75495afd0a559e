import { z } from "zod";
import type { Plane } from "../../operation/actor";
import type { Family } from "../core/kinds/family";
import type { Blocker, Kind } from "../core/kinds/kind";
import { simpleSku } from "../core/kinds/sku";
import { EDGE_SKUS } from "../core/prices/edge-prices";

/**
 * Services without kinds that are provisioned, a line each: service | label | what it gives | kind | what provisioning makes |
 * how that is seen | what is missing, or the request with which it is made instead. A line stays when a family takes its
 * place (`Families.add`): placeholders that were stored before keep its plan.
 */
const EDGE = `
dns | DNS | Authoritative zones. | zone | A signed zone with its records on all name servers | dig shows the records | an authoritative name server
ssl | TLS certificates | Certificates for hosts, renewed in time. | certificate | A key and a certificate for the hosts | openssl s_client shows the chain | a certificate issuer
waf | Web application firewall | Rules that block attacks on hosts. | policy | Rules in front of the hosts | An attack gets 403, other requests pass | a proxy in front of hosts
ddos | DDoS protection | Limits that hold off floods. | protection | A baseline of the traffic, and limits above it | A flood is dropped while other clients are served | a proxy in front of hosts
bots | Bot management | Rules for crawlers and scripts. | profile | A score and an action for each client | A browser passes and a script does not | a proxy in front of hosts
ratelimit | Rate limiting | Limits on requests by client. | rule | A counter by client in front of the hosts | Requests above the limit get 429 | a proxy in front of hosts
loadbalancing | Load balancing | Traffic split over healthy origins. | balancer | Health checks, and requests only to healthy origins | An origin that stops gets no request | a proxy in front of hosts
argo | Smart routing | The fastest path to an origin. | smart_routing | Measured paths between relays | A slow path is left within seconds | relays in other places
waiting_room | Waiting rooms | A queue for visitors of busy hosts. | room | A queue in front of the hosts | Visitors above the limit see their position | a proxy in front of hosts
turnstile | Challenges | Checks that a visitor is no script. | widget | A site key and its secret | A token is valid once | a challenge for browsers
analytics | Edge analytics | Counts of requests to hosts. | dataset | A count of requests by host | Its sums equal the requests sent | a proxy in front of hosts
logs | Edge logs | Lines about requests to hosts. | job | A line for each request, sent to a bucket | The bucket has the lines | a proxy in front of hosts
workers | Edge functions | Code that runs at hosts of its own. | function | A function, published at its host | curl shows its response | POST /v1/edge/functions
workers_kv | Edge key-value store | Values that edge functions read. | namespace | A namespace, which its first value creates | GET shows the value | PUT /v1/edge/kv/{namespace}/keys/{key}
durable_objects | Durable objects | State with one writer. | namespace | An object for each name, with its storage | Two writers see one order | a runtime of durable objects
r2 | Edge object storage | Buckets with the S3 API. | bucket | A bucket | An S3 client lists it | POST /v1/storage/buckets
d1 | Edge SQL databases | SQL databases of edge functions. | database | A database, which a binding of an edge function creates | The function reads its rows | POST /v1/edge/functions
hyperdrive | Database acceleration | Pooled connections to databases. | accelerator | A pool in front of the database | The database has no more connections than the pool | a connection pooler
queues | Edge queues | Messages that are received once. | queue | A queue, which its first message creates | Receiving returns the message | POST /v1/edge/queues/{q}/send
pages | Pages | Static sites at hosts of their own. | site | The files of a bucket at a host | curl shows the pages | a server of static sites
pubsub | Publish and subscribe | Topics over MQTT. | broker | A broker with credentials | A subscriber gets what is published | an MQTT broker
stream | Video streaming | Videos in several qualities. | video | Segments of the video in each quality | A player shows it | a video encoder
images | Images | Images in the sizes that are asked for. | variant | A size with its options | Its URL has an image of that size | an image transformer
vectorize | Vector search | Nearest vectors of an index. | index | An index of vectors | A query returns the nearest ones | a vector index
browser_render | Browser rendering | Pages as images and PDF. | session | A browser that loads the page | The image shows the page | a pool of browsers
calls | Calls | Audio and video between people. | app | A room that forwards media | Each client receives the audio of the other | a media server
realtime | Realtime | Media streams for applications. | app | A session that forwards media | A client receives the stream | a media server
ai_gateway | AI gateway | Chat models of several providers. | gateway | An upstream with its models | A completion comes from it | POST /v1/gateway/upstreams
workers_ai | Models at the edge | Models that edge functions call. | model | A loaded model | A function gets its output | a model at the edge
autorag | Answers from documents | Answers with their sources. | instance | An index of the documents of a bucket | An answer names its source | an index of documents
access | Access | Log-in in front of applications. | application | A log-in in front of the host | Without a log-in a request gets 403 | a proxy that asks for a log-in
tunnel | Tunnels | Hosts that lead to private servers. | tunnel | A token for the connector, and a host | curl reaches the private server | an end for tunnels
gateway | Secure web gateway | Rules for what devices may visit. | policy | Rules of a forward proxy | A forbidden site gets 403 | a forward proxy
warp | Device client | Traffic of devices through the gateway. | device | A registration of the device | Its traffic is in the log | a client for devices
casb | SaaS posture | Findings about SaaS accounts. | connection | A scan of the account | A public link is a finding | a connector to SaaS accounts
browser_isolation | Browser isolation | Browsers that run away from devices. | session | A remote browser | The page runs no code on the device | a pool of browsers
dlp | Data loss prevention | Detection of personal data. | classifier | Detectors for the texts | A card number is found | a detector of personal data
email_security | Email security | Checks of incoming mail. | domain | A mail server in front of the domain | A phishing mail is held back | a mail server
magic_transit | Magic transit | Protection of networks. | prefix | A BGP session that announces the prefix | A looking glass shows the route | !an autonomous system and BGP sessions
magic_wan | Magic WAN | Networks of sites, joined. | site | A tunnel to each site | One site pings another | !tunnels to networks of tenants
magic_firewall | Network firewall | Rules for packets of networks. | ruleset | Rules on the tunnels | A forbidden packet is dropped | !tunnels to networks of tenants
spectrum | TCP and UDP proxy | Ports of other protocols. | application | A port that leads to the origin | A TCP client reaches the origin | a proxy of TCP ports`;

const OBS = `
metrics | Metrics | Stores of time series. | store | A store with a token | A point that was sent is in a query | POST /v1/resources with service observe of gpuc and kind metric
apm | Traces | Requests through services. | service | A store of spans with a token | A trace is found by its id | POST /v1/resources with service observe of gpuc and kind trace
logs | Logs | Stores of log lines. | store | A store with a token | A line that was sent is found | POST /v1/resources with service observe of gpuc and kind log
profiling | Profiling | Where programs use time. | target | A receiver of profiles | The merged profile opens in pprof | a store of profiles
ci | Pipelines | Runs and tests of pipelines. | pipeline | A receiver of signed webhooks | A run is listed with its tests | a receiver of pipelines
synthetics | Synthetic checks | Checks of URLs at intervals. | http | A schedule of requests | The log of the target has them | a scheduler of checks
rum | Real users | How fast pages are for people. | app | A receiver of beacons from its origins | A page view is counted | a receiver of beacons
siem | Security signals | Rules that find attacks in logs. | rule | A rule over incoming lines | A matching line is a signal | a rule engine
cspm | Cloud posture | Risks in settings. | posture | A check of the settings | A public bucket is a finding | a checker of settings
cwpp | Workload protection | Suspicious programs in pods. | policy | A watch on programs of pods | A shell in a pod is an event | a watch on programs
threat_intel | Threat intelligence | Known bad addresses. | feed | A list that is fetched | A line with an address of it is a hit | a matcher of indicators
dlp | Data loss prevention | Personal data in stores. | policy | A scan of the store | A planted card number is a finding | a detector of personal data
npm | Network performance | Traffic between programs. | collector | A receiver of NetFlow | Its sums equal the bytes sent | a receiver of flows
ndm | Network devices | State of switches and routers. | device | SNMP queries at intervals | A port that goes down is an event | an SNMP poller
topology | Topology | Which services call which. | map | A graph from spans | Its edges equal the calls | a graph of spans
dbm | Database monitoring | Slow statements. | database | A poller of the database | The slowest statement is on top | a database poller
dwm | Data warehouse monitoring | Freshness of tables. | freshness | Queries at intervals | A table that gets no rows is an event | a database poller
cache_mon | Cache monitoring | Hit ratios of caches. | edge_cache | A poller of the cache | The ratio equals that of a known load | a cache poller
serverless | Serverless | Cold starts of functions. | function | Metrics of its invocations | An invocation is counted | metrics of functions
containers | Containers | Memory and restarts of pods. | workload | Metrics of its pods | A pod without memory is counted | metrics of pods
hosts | Hosts | Load of machines. | host | A token for an agent | The machine is down when its agent ends | a receiver of hosts
ccm | Cloud costs | Costs by project and service. | view | A view of costs | Its sum equals the invoice | a view of costs
budgets | Budgets | Warnings about costs. | budget | A limit with thresholds | Crossing it is an event | PUT /v1/billing/budget
incidents | Incidents | What is broken, and since when. | incident | A record with its timeline | The status page shows it | an incident tracker
oncall | On call | Who is paged when. | schedule | A rotation of people | The calendar shows who is on call | a pager
alerts | Alerts | Conditions on metrics and logs. | monitor | A query at intervals | A point above the limit sends a webhook | an alert engine
workflows | Workflows | Steps that follow an event. | workflow | Steps with their trigger | The receiver sees each step once | a workflow engine
service_catalog | Service catalog | Services and who owns them. | service | An entry with its owner | A span of it shows the owner | a catalog
audit | Audit trails | Changes, sent elsewhere. | trail | A filter and a sink | The sink has the entry of a new key | a sender of audit entries
accounts | Accounts | Who sees which records. | sub_account | A token that sees a part | Others see nothing of it | restricted views
usage | Usage reports | Usage as files. | report | A CSV in a bucket at intervals | Its sum equals the usage | GET /v1/usage
logs_ai | Log patterns | Templates of log lines. | patterns | Templates of a store | A new template is an event | a pattern finder
anomaly_detect | Anomalies | Points that do not fit. | detector | A model of the series | A spike is an event | a detector of anomalies
sensitive_data_scanner | Sensitive data scanner | Secrets masked before they are stored. | rule | A rule on incoming lines | The store has no card number | a detector of personal data`;

/** Any fields: without a schema nobody knows which of them are secrets, so that none is kept. */
const AnySpec = z.object({});

function plannedFamily(plane: Plane, line: string): Family {
  const [service = "", label = "", summary = "", kind = "", what = "", proof = "", missing = ""] = line.split(" | ");
  const blocker = blockerOf(label, missing);
  const planned: Kind<object> = {
    spec: AnySpec,
    blockerOf: async () => blocker,
    plan: (_, name) => [{ step: kind, what: `${what}: "${name}"`, proof }],
    provision: async () => ({ is: "absent" }),
    observe: async () => new Map(),
    remove: async () => true,
    suspend: async () => true,
  };
  const skus = EDGE_SKUS.filter((one) => plane === "edge" && one.sku.startsWith(`${service}.`));
  return {
    plane,
    service,
    label,
    summary,
    meters: [],
    skus: skus.map(({ sku, ...priced }) => ({ ...simpleSku(sku, priced), source: "platform" as const })),
    kinds: { [kind]: planned as Kind },
    blocker,
  };
}

function blockerOf(label: string, missing: string): Blocker {
  const [, request] = /^((?:GET|PUT|POST) .+)$/.exec(missing) ?? [];
  if (request !== undefined)
    return { code: "elsewhere", message: `${label}: another operation provides this.`, remedy: `Use ${request}.` };
  return {
    code: missing.startsWith("!") ? "needs_network" : "engine_missing",
    message: `${label}: this installation does not have ${missing.replace(/^!/, "")}.`,
    remedy: "Repeat the request when GET /v1/services says that the service is provisionable.",
  };
}

const familiesIn = (plane: Plane, lines: string): Family[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => plannedFamily(plane, line));

/** The services of edge and obs whose resources are placeholders in every installation. */
export const PLANNED_FAMILIES: readonly Family[] = [...familiesIn("edge", EDGE), ...familiesIn("obs", OBS)];
