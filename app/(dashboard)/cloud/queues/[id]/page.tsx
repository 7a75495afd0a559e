import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { idPage } from "../../../components/id-page";
import { QueuePage } from "./queue-page";

export const metadata: Metadata = { title: "Queue" };

export default idPage((id) => <QueuePage id={id} publicUrl={surfaces().publicUrl} />);
