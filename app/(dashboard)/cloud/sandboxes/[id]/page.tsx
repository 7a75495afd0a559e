import type { Metadata } from "next";
import { idPage } from "../../../components/id-page";
import { SandboxPage } from "./sandbox-page";

export const metadata: Metadata = { title: "Sandbox" };

export default idPage((id) => <SandboxPage id={id} />);
