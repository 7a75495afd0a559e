import { z } from "zod";
import type { AnyOperation } from "./operation";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An operation that clients call. */
export interface Endpoint<O extends AnyOperation = AnyOperation, Safe extends boolean = boolean> {
  operation: O;
  /**
   * It only reads (RFC 9110, section 9.2.1). A GET that is not safe has no HEAD in the platform API, and clients do not repeat it; the
   * dashboard sends safe calls by GET and all others by POST, from svc's own pages.
   */
  isSafe: Safe;
}

/** The HTTP method and path of an operation. Plain data: surfaces mount it, and documents are derived from it. */
export interface Route<O extends AnyOperation = AnyOperation, Safe extends boolean = boolean>
  extends Endpoint<O, Safe> {
  method: Method;
  /** Path parameters are written as `{name}`; each is a field of the operation's input. */
  path: string;
  /** The HTTP status of a successful response. */
  status: 200 | 201 | 202 | 204 | 302;
}

/** The endpoints of one resource. */
export interface RouteGroup<E extends readonly Endpoint[] = readonly Endpoint[]> {
  tag: string;
  /** A one-line description of the section. */
  description: string;
  /** In the order of their declaration, with the exact types of their operations. */
  endpoints: E;
  /** Those with a path: one section of the API reference. */
  routes: readonly Route[];
}

const STATUS = { created: 201, accepted: 202, none: 204, redirect: 302 } as const;

type Safe<M extends Method> = M extends "GET" ? true : false;

export const route = <M extends Method, O extends AnyOperation>(
  method: M,
  path: string,
  operation: O,
): Route<O, Safe<M>> => ({
  operation,
  isSafe: (method === "GET") as Safe<M>,
  method,
  path,
  status: statusOf(operation),
});

/** A route that the dashboard may not call, such as one that gives out tokens: its sessions are cookies. */
export interface ApiOnly {
  isApiOnly: true;
}

export const apiOnly = <R extends Route>(one: R): R & ApiOnly => ({ ...one, isApiOnly: true });

export const isApiOnly = (one: Endpoint): boolean => "isApiOnly" in one;

/**
 * A GET that changes something, because the specification says so or because each call of it is recorded. A browser that
 * prefetches or prerenders it gets 503.
 */
export const changingGet = <O extends AnyOperation>(path: string, operation: O): Route<O, false> => ({
  operation,
  isSafe: false,
  method: "GET",
  path,
  status: statusOf(operation),
});

/** A read that only the dashboard calls: it has no path. */
export const dashboardRead = <O extends AnyOperation>(operation: O): Endpoint<O, true> => ({
  operation,
  isSafe: true,
});

/** A change that only the dashboard makes: it has no path. */
export const dashboardChange = <O extends AnyOperation>(operation: O): Endpoint<O, false> => ({
  operation,
  isSafe: false,
});

const statusOf = ({ result, output, streams, mayContinue }: AnyOperation): Route["status"] => {
  if (result) return STATUS[result];
  if (mayContinue) return STATUS.accepted;
  return output instanceof z.ZodVoid && streams === undefined ? STATUS.none : 200;
};

/** A route and its section of the API reference. */
export type TaggedRoute = Route & { tag: string };

export const routesOf = (groups: readonly RouteGroup[]): TaggedRoute[] =>
  groups.flatMap(({ tag, routes }) => routes.map((one) => ({ ...one, tag })));

export const routeGroup = <const E extends readonly Endpoint[]>(
  tag: string,
  description: string,
  endpoints: E,
): RouteGroup<E> => ({
  tag,
  description,
  endpoints,
  routes: endpoints.filter((one): one is Route => "path" in one),
});
