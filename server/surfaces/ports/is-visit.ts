import type { IncomingMessage } from "node:http";

/** Whether a person opens a page in a window of a browser: only then a session is enough, so that no site can use it. */
export const isVisit = ({ method = "", headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers.authorization === undefined &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" &&
  headers.upgrade === undefined;
