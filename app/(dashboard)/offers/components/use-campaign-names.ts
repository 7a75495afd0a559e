import { useQueryOf } from "../../../trpc/use-operation";
import type { Mode } from "../../components/shell/mode";

const CAMPAIGNS_MAX = 1000;

/** The names of the tenant's campaigns of a mode; an archived one is called by its id. */
export function useCampaignNames(mode: Mode): (id: string) => string {
  const { data } = useQueryOf("listCampaigns", { mode, limit: CAMPAIGNS_MAX });
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
