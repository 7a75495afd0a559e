import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { Advertiser } from "./advertiser";

export const newAdvertiserExample = {
  name: "Fjell",
  domain: "fjell.example",
  icon_url: "https://fjell.example/icon.png",
};

export const advertiserExample: Advertiser = {
  id: exampleId("adv"),
  mode: "live",
  ...newAdvertiserExample,
  review: "approved",
  review_automatic: false,
  review_note: "",
  reviewed_at: EXAMPLE_TIME,
  domain_verified_at: EXAMPLE_TIME,
  domain_verification: {
    dns_name: "_svc-verification.fjell.example",
    file_url: "https://fjell.example/.well-known/svc-verification.txt",
    token: "7d1f0c52a9e84b6f8c3d2e1a0b9f8e7d",
  },
  blocked_channels: [],
  blocked_domains: ["news.example"],
  pixel_value_max_micros: null,
  ...EXAMPLE_TIMES,
};
