import { advertisersRouter } from "./advertisers-router";
import { auditRouter } from "./audit-router";
import { authRouter } from "./auth-router";
import { campaignsRouter } from "./campaigns-router";
import { channelsRouter } from "./channels-router";
import { conversionsRouter } from "./conversions-router";
import { explainRouter } from "./explain-router";
import { keysRouter } from "./keys-router";
import { outboxRouter } from "./outbox-router";
import { overviewRouter } from "./overview-router";
import { projectsRouter } from "./projects-router";
import { reportsRouter } from "./reports-router";
import { settingsRouter } from "./settings-router";
import { createCallerFactory, router } from "./trpc";
import { usageRouter } from "./usage-router";

/** One router a page; a procedure names the verb behind it and nothing else. */
export const appRouter = router({
  auth: authRouter,
  channels: channelsRouter,
  advertisers: advertisersRouter,
  campaigns: campaignsRouter,
  overview: overviewRouter,
  reports: reportsRouter,
  conversions: conversionsRouter,
  explain: explainRouter,
  keys: keysRouter,
  projects: projectsRouter,
  usage: usageRouter,
  audit: auditRouter,
  settings: settingsRouter,
  outbox: outboxRouter,
});

export type AppRouter = typeof appRouter;

export const createAppCaller = createCallerFactory(appRouter);

/** Every procedure as a function: what a page rendered on the server calls. */
export type AppCaller = ReturnType<typeof createAppCaller>;
