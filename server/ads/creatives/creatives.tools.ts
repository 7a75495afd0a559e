import { extraTool, type Tool } from "../../operation/tool";
import { createCreative } from "./create-creative";
import { listCreatives } from "./list-creatives";

const renamed = { campaign_id: "id" };

export const creativeTools: readonly Tool[] = [
  extraTool("svc_ads_creatives_list", listCreatives, { renamed }),
  extraTool("svc_ads_creatives_create", createCreative, {
    renamed,
    notes: { "product.*.category": "Such as `Electronics>Laptops`", "price.*.currency": "ISO 4217" },
  }),
];
