import { shareOf } from "../../kernel/share-of";
import type { ServingCampaign } from "../ranking/serving";

/** Whether a paced campaign takes part in the request that `seed` names: the same answer in every process, `passRate` of all seeds pass. */
export const passesPacing = ({ id, passRate }: Pick<ServingCampaign, "id" | "passRate">, seed: string): boolean =>
  passRate >= 1 || shareOf(`${id}\n${seed}`) < passRate;
