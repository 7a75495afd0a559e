import { z } from "zod";
import { CreateSessionToken, createSessionToken } from "../identity/session-tokens/create-session-token";
import { EndSessionToken, endSessionToken } from "../identity/session-tokens/end-session-token";
import { RefreshSessionToken, refreshSessionToken } from "../identity/session-tokens/refresh-session-token";
import { SessionToken } from "../identity/session-tokens/session-token";
import type { CloudCtx } from "./cloud-ctx";
import { type AnyEndpoint, endpoint } from "./endpoint";

const SHARED = { method: "POST", tag: "Log-in", access: "public", cost: "normal", idempotent: false } as const;

/** How people get the session tokens that work wherever a platform key does. */
export const authRows: readonly AnyEndpoint<CloudCtx>[] = [
  endpoint({
    ...SHARED,
    id: "logIn",
    path: "/v1/auth/login",
    summary: "Log in for an access token of an hour and a refresh cookie",
    input: CreateSessionToken,
    output: SessionToken,
    status: 200,
    usesCookie: true,
    run: createSessionToken,
  }),
  endpoint({
    ...SHARED,
    id: "refreshSession",
    path: "/v1/auth/refresh",
    summary: "Exchange the refresh cookie for a new access token",
    input: RefreshSessionToken,
    output: SessionToken,
    status: 200,
    usesCookie: true,
    run: refreshSessionToken,
  }),
  endpoint({
    ...SHARED,
    id: "logOut",
    path: "/v1/auth/logout",
    summary: "End the log-in of the refresh cookie and its access tokens",
    input: EndSessionToken,
    output: z.looseObject({}),
    status: 204,
    usesCookie: true,
    run: endSessionToken,
  }),
];
