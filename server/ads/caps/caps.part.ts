import type { Part } from "../../identity/part";
import type { OfferRecords } from "../offer-records/offer-records";
import { CapCounts } from "./cap-counts";
import { ERASED_USERS } from "./erase-caps";

type CapParts = ConstructorParameters<typeof CapCounts>[0];

interface Needs extends CapParts {
  records: Pick<OfferRecords, "forgetUser">;
}

/** The counts for frequency caps. */
export const capsPart: Part<Needs, { caps: CapCounts }> = {
  name: "caps",
  start: async ({ sql, counters, clock, log, records }) => {
    const caps = new CapCounts({ sql, counters, clock, log });
    await counters.subscribe(ERASED_USERS, (user) => records.forgetUser(user));
    await caps.start();
    return { gives: { caps }, stop: () => caps.stop() };
  },
};
