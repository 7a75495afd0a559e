import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { ChatSettingsView } from "./chat-settings";

export const chatSettingsExample: ChatSettingsView = {
  project_id: exampleId("prj"),
  mode: "live",
  stores_bodies: false,
  cache_seconds: 600,
  offers_default: { channel_id: exampleId("chn"), limit: 3 },
  updated_at: EXAMPLE_TIME,
};
