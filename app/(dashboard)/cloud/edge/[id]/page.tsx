import type { Metadata } from "next";
import { idPage } from "../../../components/id-page";
import { EdgeFunctionPage } from "./edge-function-page";

export const metadata: Metadata = { title: "Edge function" };

export default idPage((id) => <EdgeFunctionPage id={id} />);
