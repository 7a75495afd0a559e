import { eventKind } from "../../operation/event-kind";
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

export const advertiserApproved = eventKind({
  type: "advertiser.approved",
  description: "The operator approved an advertiser, whose network campaigns may now serve on channels of others.",
  data: Reviewed,
  example,
});

export const advertiserRejected = eventKind({
  type: "advertiser.rejected",
  description: "The operator rejected an advertiser; the note says why.",
  data: Reviewed,
  example: { ...example, review: "rejected", review_note: "The domain sells something else." },
});

export const advertiserEventKinds = [advertiserApproved, advertiserRejected];
