import { adsParts } from "./ads/ads-parts";
import { cloudParts } from "./cloud/cloud-parts";
import { IDENTITY_EVENT_KINDS } from "./identity/identity-event-kinds";
import { eventKindList } from "./operation/event-kind";

/** Every kind of event: those of the account system, then those of each product. */
export const ALL_EVENT_KINDS = eventKindList(IDENTITY_EVENT_KINDS, adsParts.eventKinds, cloudParts.eventKinds);
