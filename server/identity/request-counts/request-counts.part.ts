import type { Part } from "../part";
import { findApiKeys } from "./find-api-keys";
import { createUsageTurns } from "./get-request-counts";
import type { FindKeys } from "./request-count";
import type { RequestCountCtx } from "./request-count-ctx";
import type { RequestCounter } from "./request-counter";
import { requestCountRoutes } from "./request-counts.routes";
import { type CounterParts, startRequestCounter } from "./start-request-counter";

interface Needs extends CounterParts {
  /** How products find their keys, one function per kind of key. */
  findProductKeys: readonly FindKeys[];
}

interface Gives extends Pick<RequestCountCtx, "findKeys" | "usageTurns"> {
  requestCounter: RequestCounter;
}

/** Requests by key over time. */
export const requestCountsPart: Part<Needs, Gives, typeof requestCountRoutes> = {
  name: "request counts",
  routes: [requestCountRoutes],
  start: ({ clickhouse, clock, log, findProductKeys }) => {
    const requests = startRequestCounter({ clickhouse, clock, log });
    return {
      gives: {
        requestCounter: requests.counter,
        findKeys: [findApiKeys, ...findProductKeys],
        usageTurns: createUsageTurns(),
      },
      stop: () => requests.stop(),
    };
  },
};
