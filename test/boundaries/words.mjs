/** Pages, the command line, the widget and the documents at the root. */
const USER_TEXT = /^(?!.*\.test\.tsx?$)(app|sdk|widget|docs)\/|^[A-Z]+\.md$/;
/** The server, whose texts are in quotes: descriptions, errors, logs. */
const SERVER_TEXT = /^server\/(?!.*\.test\.ts$)/;

/** Where a machine is one that runs pods; in files of programs it is a processor, in commands the operator's computer. */
const NODE_CODE =
  /^server\/(cloud\/(compute|net|data\/volumes|core\/quarantine)|engines\/runtime|node-agent)\/(?!.*-(program|command)\.ts$)|^prisma\//;
/** The machine on which svc is installed or that is to become a node, workspaces, and machine learning. */
const OTHER_MACHINE = String.raw`(?! (of|that) svc\b| that joins\b| to write\b| learning\b| where svc\b)`;

/** What is not written in this project, and what is written instead. `where` limits an entry to some files; `path` is of files themselves. */
export const WORDS = [
  { word: /\b(answeredWithin)\b/, instead: "withTimeout" },
  { word: /\b(unlessAway|isAway|unavailableIfAway)\b/, instead: "undefinedIfUnavailable, isConnectionError" },
  { word: /\bRequestFacts\b/, instead: "RequestMeta" },
  { word: /\b(standings|Asker|refuseLimited)\b/, instead: "RateLimitStatus, RateLimitSubject, assertWithinLimits" },
  { word: /\b(requireRoom|livingOf|boundsOf|heldBack|tellEnded|provePassword)\b/, instead: "a standard term" },
  { word: /\b(Minted|Unfit|Fate)\b/, instead: "NewOffer, InvalidField, CandidateOutcome" },
  {
    word: /\b(assertUnreferenced|settleResource|lackOf|lookForLack|AdmitCtx)\b/,
    instead: "the terms of resource families",
  },
  { word: /\bsettled?[A-Z]\w*/, instead: "what it does: recordExit, waitUntilStable" },
  { word: /\b[sS]ettle[sd]?\b/, instead: "finish", where: /^server\/cloud\/ai\/(ledger|gateway)\// },
  { word: /\bnote(?!Of\b|Title\b|Id\b|File\b)[A-Z]\w*/, instead: "recordX" },
  { word: /\b(Local|Joined|Runner|Gpu|Node|Upgrading)Machine\w*/, instead: "node" },
  { word: /\bmachines?(Key|Identity|Id|Of\w*|Away|Now|Capacity)\b/, instead: "node" },
  { word: /\b(machine_(away|lost|unreachable)|no_machine|pod_runners?|podRunners?|svc\/runner)\b/, instead: "node" },
  { word: /\b(required_?)?[rR]unner_?[iI]ds?\b/, instead: "node", where: /^(?!server\/engines\/jobs\/)/ },
  { word: /(?<!-)\brunners?\b(?!-)/, instead: "node", where: NODE_CODE },
  { word: new RegExp(String.raw`\b[mM]achines?\b${OTHER_MACHINE}`), instead: "node", where: NODE_CODE },
  {
    path: /^server\/(cloud|engines\/runtime|node-agent|operators)\/.*((?<!queue-)machine|(?<!edge-|function-)runner)/,
    instead: "node",
  },
  { word: /\b(able|fresh|lock|read|choose|decide|report|claim)Runners?\b/, instead: "node" },
  { word: /\b(LedPort|lookAtEndpoints)\b/, instead: "PortForward, EndpointSnapshot" },
  { word: /\b((Resource|Secret|Edge|Function|Kv|Listed|Asked)Place|pageOfPlace|listedPlace)\b/, instead: "Owner" },
  { word: /\b((Named|Activated|Log|Offers|Invoice|Channel)Place|chatPlace)\b/, instead: "Owner" },
  { word: /\bplace(: | = )\{ (tenantId|projectId)\b/, instead: "owner", where: /^server\// },
  {
    word: /\b(interface|type) (Answer|Seen|Wanted|Lack)\b/,
    instead: "HttpResult, Observation, DesiredResource, Blocker",
    where: /^server\/(?!.*\.test\.ts$)/,
  },
  { word: /\bplaceFields\b/, instead: "ownerFields", where: /^server\/cloud\// },
  { word: /\b(StoredAnswer|FinalAnswer|AnswerStage)\b/, instead: "response, result" },
  { word: /\b(WaitFacts|GangFacts|StateFacts|AuditFacts)\b/, instead: "WaitInput, AuditRecord" },
  { word: /\b(waitsAgain|judgeRefresh|comeAfterMainThread|mayBeHopeless|whileAlone)\b/, instead: "a standard term" },
  {
    word: /\b(refuseMorePower|refuseGrown|refuseFull|keepUnknown|leftJournals|isSaidBy)\b/,
    instead: "a standard term",
  },
  { word: /\b(asSoonAsAllowed|bodiesFull|LeastPace|giveTo|GrownWorkloads|MadeByHand)\b/, instead: "a standard term" },
  { word: /\banew\b/i, instead: "again" },
  { word: /\bwhoever\b/i, instead: "anyone who, the client that" },
  { word: /\bhears?\b/i, instead: "receives, is notified" },
  { word: /\bmend(s|ed)?\b/i, instead: "fix" },
  { word: /\bunless told( otherwise)?\b/i, instead: "by default" },
  { word: /\bfor good\b/i, instead: "permanently" },
  { word: /\bone an? (line|minute|second|row|offer|page)\b/i, instead: "one per" },
  { word: /\b(stands|stood) (in|on|at|there|beside|among|under|for|as)\b/i, instead: "is, exists, applies, means" },
  // Texts that users see: things have no senses and no will.
  { word: /\bthe specification (has|says|shows|names|knows)\b/i, instead: "the reason itself", where: USER_TEXT },
  { word: /["'`][^"'`]*\bspecification (has|says|shows)\b/i, instead: "the reason itself", where: SERVER_TEXT },
  { word: /["'`>]([^"'`<]* )?Ask (it|a model|the model|the endpoint)\b/i, instead: "Call the model" },
  {
    word: /\b(was|were|is|are) (last )?seen of\b|\bsaw of (it|them)\b/i,
    instead: "the last observation",
    where: USER_TEXT,
  },
  {
    word: /["'`>][^"'`<]*\b(was|were) (last |first )?seen (of|first|last)\b/i,
    instead: "the last observation",
    where: SERVER_TEXT,
  },
  {
    word: /["'`>][^"'`<]*\b(machine|node|registry|engine|upstream|replica|runtime)s? (does not |do not |cannot |can )?(tells?|told|knows?|sees?)\b/i,
    instead: "reports, has",
    where: SERVER_TEXT,
  },
  {
    word: /\b(machine|node|registry|engine|upstream|replica)s? (is|are|was|were) (also |always )?(asked|told)\b/i,
    instead: "called, contacted, sent",
    where: USER_TEXT,
  },
  { word: /\bkeys? sees?\b/i, instead: "reads", where: USER_TEXT },
  { word: /["'`][^"'`]*\bcannot tell an?\b/i, instead: "cannot send" },
  { word: /\bstays? as (it was|they were)\b/i, instead: "cannot be changed", where: USER_TEXT },
  { word: /["'`][^"'`]*\bstays as it was\b/i, instead: "cannot be changed" },
  {
    word: /\bnobody (acknowledges|completes|pays|receives|has received)\b/i,
    instead: "not acknowledged",
    where: USER_TEXT,
  },
  { word: /\bgo(es)? on\b/i, instead: "continue", where: USER_TEXT },
  { word: /["'`][^"'`]*\bgo(es)? on\b[^"'`]*["'`]/i, instead: "continue", where: SERVER_TEXT },
  { word: /["'`]looks? after\b/i, instead: "maintain" },
  {
    word: /\bletters? (that|with|to|of|from|is|was)\b/i,
    instead: "email",
    where: /^(server\/(identity|engines\/mail)|app)\//,
  },
];
