import type { QuietPart } from "../../../identity/part";
import { VOLUME_QUOTAS } from "./volumes.quotas";

export const volumesPart: QuietPart<object> = {
  name: "volumes",
  quotas: Object.values(VOLUME_QUOTAS),
};
