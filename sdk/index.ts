import type { PlatformClient } from "./generated/platform-types";
import { createOffersClient, type OffersClientOptions, type OffersClient as OffersMethods } from "./offers-client";
import { createPlatformClient, type PlatformClientOptions } from "./platform-client";

// biome-ignore lint/performance/noBarrelFile: the entry point of the package, for a single import of both clients.
export { parseJson, stringifyJson } from "./exact-json";
export type * from "./offers-client";
export { createOffersClient, OffersError } from "./offers-client";
export type { PlatformClient, PlatformClientOptions } from "./platform-client";
export { SvcError } from "./platform-client";
export type {
  RawBody,
  SignOptions,
  VerifyOptions,
  WebhookEvent,
  WebhookHeaders,
  WebhookVerificationCode,
} from "./webhooks";
export { WebhookVerificationError, webhooks } from "./webhooks";

/** The methods of a client are those of the function that `@svc/sdk/platform` exports. */
class PlatformMethods {
  constructor(options: PlatformClientOptions) {
    Object.assign(this, createPlatformClient(options));
  }
}

class PublisherMethods {
  constructor(options: OffersClientOptions) {
    Object.assign(this, createOffersClient(options));
  }
}

/**
 * A client of both APIs: `new SvcClient({ baseUrl, key }).campaigns.list()`.
 *
 * @throws TypeError as `createPlatformClient` does.
 */
export const SvcClient = PlatformMethods as new (options: PlatformClientOptions) => PlatformClient;
export type SvcClient = PlatformClient;

/**
 * A publisher's client: `new OffersClient({ baseUrl, apiKey }).offers({ query })`.
 *
 * @throws TypeError as `createOffersClient` does.
 */
export const OffersClient = PublisherMethods as new (options: OffersClientOptions) => OffersMethods;
export type OffersClient = OffersMethods;
