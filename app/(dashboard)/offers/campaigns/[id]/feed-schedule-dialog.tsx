"use client";

import { Dialog } from "../../../../components/ui/dialog";
import { setFeedScheduleInput } from "../../../../generated/inputs/setFeedSchedule";
import { SchemaForm } from "../../../components/schema-form";
import { type FeedSchedule, INTERVAL_TEXTS } from "./feed-schedule-text";

interface FeedScheduleDialogProps {
  campaignId: string;
  /** undefined: the campaign has none yet. */
  schedule: FeedSchedule | undefined;
  open: boolean;
  onClose: () => void;
}

export const FeedScheduleDialog = ({ campaignId, schedule, open, onClose }: FeedScheduleDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onClose}
    title="Feed schedule"
    description="svc fetches the feed from this URL and imports it like an upload."
  >
    <SchemaForm
      input={setFeedScheduleInput}
      fields={scheduleFields(schedule)}
      fixed={{ id: campaignId }}
      submit="Save schedule"
      done="Feed schedule saved."
      onDone={onClose}
      onCancel={onClose}
      isWatched
    />
  </Dialog>
);

const scheduleFields = (schedule: FeedSchedule | undefined) => ({
  url: {
    label: "Feed URL",
    value: schedule?.url,
    placeholder: "https://shop.example/feeds/google.xml",
    hint: "https only, on a public host. CSV, TSV, NDJSON, RSS or Atom with Google Merchant names, plain or gzip.",
  },
  interval: { label: "Fetch", value: schedule?.interval, choices: INTERVAL_TEXTS, hint: null },
  remove_missing: {
    label: "Remove products that are no longer in the feed",
    value: schedule?.remove_missing,
    hint: "Also products that were uploaded to this campaign. Only after the whole feed was read, and never more than half of them at once.",
  },
  username: {
    label: "User name",
    value: schedule?.username,
    hint: "For HTTP basic authentication.",
    isHalf: true,
  },
  password: {
    as: "password" as const,
    hint: schedule?.username ? "Leave empty to keep the stored one." : "Stored encrypted.",
    isHalf: true,
  },
});
