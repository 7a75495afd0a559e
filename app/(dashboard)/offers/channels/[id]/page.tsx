import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { idPage } from "../../../components/id-page";
import { ChannelPage } from "./channel-page";

export const metadata: Metadata = { title: "Channel" };

export default idPage((id) => <ChannelPage id={id} publicUrl={surfaces().publicUrl} />);
