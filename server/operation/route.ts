import { z } from "zod";
import type { AnyOperation } from "./operation";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The HTTP method and path of an operation. Plain data: surfaces mount it, and documents are derived from it. */
export interface Route {
  method: Method;
  /** Path parameters are written as `{name}`; each is a field of the operation's input. */
  path: string;
  operation: AnyOperation;
  /** The HTTP status of a successful response. */
  status: 200 | 201 | 202 | 204 | 302;
}

/** The routes of one resource: one section of the API reference. */
export interface RouteGroup {
  tag: string;
  /** A one-line description of the section. */
  description: string;
  routes: readonly Route[];
}

const STATUS = { created: 201, accepted: 202, none: 204, redirect: 302 } as const;

export const route = (method: Method, path: string, operation: AnyOperation): Route => ({
  method,
  path,
  operation,
  status: statusOf(operation),
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

export const routeGroup = (tag: string, description: string, routes: readonly Route[]): RouteGroup => ({
  tag,
  description,
  routes,
});
