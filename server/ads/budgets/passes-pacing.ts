import { shareOf } from "../../kernel/share-of";
import type { ServingCampaign } from "../serving/serving";

/**
 * Returns whether a paced campaign participates in the request with this `seed`. The result is the same in every
 * process, and the share `passRate` of all seeds passes.
 */
export const passesPacing = ({ id, passRate }: Pick<ServingCampaign, "id" | "passRate">, seed: string): boolean =>
  passRate >= 1 || shareOf(`${id}\n${seed}`) < passRate;
