import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import type { AdsParts } from "../ads/ads-ctx";
import type { PersonActor, Scope } from "../identity/actors/actor";
import { requireScope } from "../identity/actors/require-scope";
import type { AccountCtx } from "../identity/identity-ctx";
import type { Tenant } from "../identity/tenants/tenant";
import type { User } from "../identity/users/user";
import { ServiceError } from "../kernel/errors";
import { failureOf, toTrpcError } from "./error-shape";
import { isSameOrigin } from "./same-origin";

/** Who is logged in, and for which tenant. */
export interface SessionView {
  actor: PersonActor;
  user: User;
  tenant: Tenant;
}

/** What the HTTP server knows of a request before anybody has looked at its meaning. */
export interface TrpcFacts {
  requestId: string;
  address: string;
  userAgent: string;
}

/** What a procedure may touch; one is made for each HTTP request. */
export interface TrpcCtx {
  session: SessionView | undefined;
  account: AccountCtx;
  ads: AdsParts;
  request: TrpcFacts;
  requestHeaders: Headers;
  /** Verbs that open or close a session put their cookie here. */
  responseHeaders: Headers;
  /** Origin of PUBLIC_URL. */
  publicOrigin: string;
  isLoopback: boolean;
}

const t = initTRPC.context<TrpcCtx>().create({
  transformer: superjson,
  isDev: false,
  errorFormatter: ({ shape, error, ctx }) => {
    const failure = failureOf(error, ctx?.request.requestId ?? "");
    return {
      code: shape.code,
      message: failure.message,
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, failure },
    };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

const translateErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw toTrpcError(result.error);
  return result;
});

/** A session cookie rides along with requests that other sites cause, so writes must come from our own page. */
const refuseForeignWrites = t.middleware(({ ctx, type, next }) => {
  if (type === "mutation" && !isSameOrigin(ctx.requestHeaders, ctx.publicOrigin)) {
    throw new ServiceError("forbidden", "This request did not come from svc's own pages; reload the page.", {
      details: { reason: "foreign_origin" },
    });
  }
  return next();
});

/** For anybody; `ctx.visitor` is what the verbs of sign-up and log-in take. */
export const publicProcedure = t.procedure
  .use(translateErrors)
  .use(refuseForeignWrites)
  .use(({ ctx, next }) => next({ ctx: { visitor: { ...ctx.account, request: ctx.request } } }));

/** For people who are logged in; `ctx.person` is what every verb takes. */
export const sessionProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.session) throw new ServiceError("unauthorized", "Your session has ended; log in again.");
  const { actor, user, tenant } = ctx.session;
  return next({ ctx: { person: { ...ctx.ads, ...ctx.visitor, actor }, user, tenant } });
});

/** For people whose role holds the scope. */
export const scoped = (scope: Scope) =>
  sessionProcedure.use(({ ctx, next }) => {
    requireScope(ctx.person.actor, scope);
    return next();
  });
