import { extraTool, type Tool } from "../../operation/tool";
import { listProducts } from "./list-products";

export const productTools: readonly Tool[] = [
  extraTool("svc_ads_products_list", listProducts, { renamed: { campaign_id: "id" } }),
];
