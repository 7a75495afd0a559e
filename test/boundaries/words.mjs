/** What is not written in this project, and what is written instead. `where` limits an entry to some files. */
export const WORDS = [
  { word: /\b(answeredWithin)\b/, instead: "withTimeout" },
  { word: /\b(unlessAway|isAway|unavailableIfAway)\b/, instead: "undefinedIfUnavailable, isConnectionError" },
  { word: /\bRequestFacts\b/, instead: "RequestMeta" },
  { word: /\b(standings|Asker|refuseLimited)\b/, instead: "RateLimitStatus, RateLimitSubject, assertWithinLimits" },
  { word: /\b(requireRoom|livingOf|boundsOf|heldBack|tellEnded|provePassword)\b/, instead: "a standard term" },
  { word: /\b(Minted|Unfit|Fate)\b/, instead: "NewOffer, InvalidField, CandidateOutcome" },
  { word: /\banew\b/i, instead: "again" },
  { word: /\bwhoever\b/i, instead: "anyone who, the client that" },
  { word: /\bhears?\b/i, instead: "receives, is notified" },
  { word: /\bmend(s|ed)?\b/i, instead: "fix" },
  { word: /\bunless told( otherwise)?\b/i, instead: "by default" },
  { word: /\bfor good\b/i, instead: "permanently" },
  { word: /\bone an? (line|minute|second|row|offer|page)\b/i, instead: "one per" },
  { word: /\b(stands|stood) (in|on|at|there|beside|among|under|for|as)\b/i, instead: "is, exists, applies, means" },
  {
    word: /\bletters? (that|with|to|of|from|is|was)\b/i,
    instead: "email",
    where: /^(server\/(identity|engines\/mail)|app)\//,
  },
];
