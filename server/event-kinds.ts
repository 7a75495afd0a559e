import { adsParts } from "./ads/ads-parts";
import { cloudParts } from "./cloud/cloud-parts";
import { identityParts } from "./identity/identity-parts";
import { eventKindList } from "./operation/event-kind";

/** Every kind of event: those of the account system, then those of each product. */
export const ALL_EVENT_KINDS = eventKindList(identityParts.eventKinds, adsParts.eventKinds, cloudParts.eventKinds);
