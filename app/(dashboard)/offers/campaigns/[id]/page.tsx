import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { idPage } from "../../../components/id-page";
import { CampaignPage } from "./campaign-page";

export const metadata: Metadata = { title: "Campaign" };

export default idPage((id) => <CampaignPage id={id} publicUrl={surfaces().publicUrl} />);
