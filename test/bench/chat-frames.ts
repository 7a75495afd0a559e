/** How people wrap what they want in a chat; `%` is what they want. Models may be fitted and tuned with these. */
export const CHAT_FRAMES_DEV = [
  "I need a % for college under 800",
  "can you recommend a good % for my daughter?",
  "what is the best % for someone who travels a lot",
  "Hi! I'm looking for a cheap % that my parents can use, any ideas?",
  "where can I buy % near me",
  "my old one broke last week so I want a new %",
  "which % should I get for my small apartment",
  "show me % with fast delivery please",
  "best % 2026",
  "I have a budget of 150 dollars and want to buy %",
  "do you sell %?",
  "please help me find %, it is a present for a friend",
  "how much does a % cost these days",
  "% or something similar, what do you have",
] as const;

/** How people wrap what they want in a chat; `%` is what they want. Only measured with, never fitted or tuned with. */
export const CHAT_FRAMES_HELD_OUT = [
  "hello, do you have any % in stock?",
  "we are moving next month and are shopping for a %",
  "thinking of getting my husband a % for his birthday, what would you pick?",
  "what's a decent % that won't break the bank",
  "could you help me choose a % please, I don't know much about them",
  "% recommendations for a beginner",
  "is there a % under 200 euros that lasts a few years?",
  "I want to upgrade my %, which one is worth the money",
  "compare some popular % for working from home",
  "need % asap",
  "ok so the next thing on my list is %",
  "any deals on % this weekend?",
  "my boss asked me to order %, what are the options",
  "would you rather get a % new or used?",
] as const;
