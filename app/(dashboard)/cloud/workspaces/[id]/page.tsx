import type { Metadata } from "next";
import { idPage } from "../../../components/id-page";
import { WorkspacePage } from "./workspace-page";

export const metadata: Metadata = { title: "Workspace" };

export default idPage((id) => <WorkspacePage id={id} />);
