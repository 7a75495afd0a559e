import type { Metadata } from "next";
import { idPage } from "../../../components/id-page";
import { PodPage } from "./pod-page";

export const metadata: Metadata = { title: "Pod" };

export default idPage((id) => <PodPage id={id} />);
