import { parseAsWritten } from "../exact-json";
import type { Operation } from "../operation";
import { createCaller, type SvcError } from "../platform-client";
import { resolveConnection } from "./credentials";
import { NotLoggedIn, UsageError } from "./errors";
import type { Io } from "./io";

/**
 * Calls operations at the server and with the key of the login or the environment.
 *
 * @throws NotLoggedIn without a key, and UsageError for one that is malformed.
 */
export function connect(credential: Operation["credential"], baseUrlFlag: string | undefined, io: Io) {
  const { baseUrl, key } = resolveConnection(io.env, baseUrlFlag);
  const channelKey = io.env.SVC_CHANNEL_KEY || undefined;
  if (credential === "platform" && !key) {
    throw new NotLoggedIn("You are not logged in: run svc login, or set SVC_API_KEY to a platform key.");
  }
  if (credential === "channel" && !channelKey) {
    throw new NotLoggedIn(
      "Set SVC_CHANNEL_KEY to a channel's server key (svc_srv_…); svc channel-keys create makes one.",
    );
  }
  return withUsageErrors(() =>
    createCaller({
      baseUrl,
      fetch: io.fetch,
      timing: io.timing,
      parseJson: parseAsWritten,
      onRetry: (failure, ms) => reportRetry(io, failure, ms),
      ...(credential === "platform" ? { key } : { channelKey }),
    }),
  );
}

/** Turns the client's TypeError for a malformed key or URL into a usage error. */
export function withUsageErrors<T>(make: () => T): T {
  try {
    return make();
  } catch (failure) {
    if (failure instanceof TypeError) throw new UsageError(failure.message.replace(/^key must/, "The key must"));
    throw failure;
  }
}

export function reportRetry({ stderr }: Io, { code }: SvcError, pauseMs: number): void {
  stderr.write(`svc: ${code}; retrying in ${(pauseMs / 1000).toFixed(1)} s\n`);
}
