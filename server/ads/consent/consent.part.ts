import type { Part } from "../../identity/part";
import type { Clock } from "../../kernel/clock";
import { ConsentReader } from "./consent-reader";

interface Needs {
  clock: Clock;
  config: { tcfVendorId: ConstructorParameters<typeof ConsentReader>[0]["vendorId"] };
}

/** Reads consent strings. */
export const consentPart: Part<Needs, { consent: ConsentReader }> = {
  name: "consent",
  start: ({ clock, config }) => ({ gives: { consent: new ConsentReader({ clock, vendorId: config.tcfVendorId }) } }),
};
