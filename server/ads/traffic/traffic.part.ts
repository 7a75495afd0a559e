import type { Part } from "../../identity/part";
import { PlausibleTraffic } from "./plausible-traffic";

/** Judges reports of publishers' servers. */
export const trafficPart: Part<ConstructorParameters<typeof PlausibleTraffic>[0], { plausible: PlausibleTraffic }> = {
  name: "traffic",
  start: ({ counters, clock }) => ({ gives: { plausible: new PlausibleTraffic({ counters, clock }) } }),
};
