import type { Metadata } from "next";
import { idPage } from "../../../components/id-page";
import { FunctionPage } from "./function-page";

export const metadata: Metadata = { title: "Function" };

export default idPage((id) => <FunctionPage id={id} />);
