import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { idPage } from "../../../components/id-page";
import { WebhookPage } from "./webhook-page";

export const metadata: Metadata = { title: "Webhook" };

export default idPage((id) => <WebhookPage id={id} allowsLoopback={surfaces().isLoopback} />);
