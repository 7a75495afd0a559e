import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";

const ADVERTISERS_MAX = 1000;

/** The tenant's advertisers of the chosen mode, for lists of choice and for names beside ids. */
export function useAdvertisers() {
  const { mode } = useMode();
  const query = useQueryOf("listAdvertisers", { mode, limit: ADVERTISERS_MAX });
  const rows = query.data?.data ?? [];
  const known = (id: string) => rows.find((advertiser) => advertiser.id === id);
  const find = (id: string) => known(id) ?? { name: id, icon_url: null };
  /** What a `Thumbnail` of the advertiser shows; an id is no name to take initials from. */
  const iconOf = (id: string) => ({ name: known(id)?.name ?? "", src: known(id)?.icon_url });
  return { query, rows, find, nameOf: (id: string) => find(id).name, iconOf };
}
