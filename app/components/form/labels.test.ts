import { expect, it } from "vitest";
import { labelOf, labelWithUnit } from "./labels";

it("labels a field with its name in words, without its unit", () => {
  const names = ["idle_timeout_seconds", "bid_micros", "icon_url", "memory_mb", "cpu", "s", "image_id"];
  const labels = ["Idle timeout", "Bid", "Icon URL", "Memory", "CPU", "S", "Image"];
  expect(names.map(labelOf)).toEqual(labels);
});

it("names the unit where nothing else does", () => {
  expect(["disk_gb", "retention_days", "sku"].map(labelWithUnit)).toEqual(["Disk in GB", "Retention in days", "SKU"]);
});
