import { eventsOf } from "../../operation/event-kind";
import { Advertiser } from "./advertiser";
import { advertiserExample } from "./advertiser.example";

const Reviewed = Advertiser.pick({
  id: true,
  mode: true,
  name: true,
  domain: true,
  review: true,
  review_note: true,
  reviewed_at: true,
});
const example = Reviewed.parse(advertiserExample);

const eventOf = eventsOf(Reviewed, example);

export const advertiserApproved = eventOf(
  "advertiser.approved",
  "The operator approved an advertiser, whose network campaigns may now serve on channels of others.",
);

export const advertiserRejected = eventOf(
  "advertiser.rejected",
  "The operator rejected an advertiser; the note says why.",
  { ...example, review: "rejected", review_note: "The domain sells something else." },
);

export const advertiserEventKinds = [advertiserApproved, advertiserRejected];
