import type { Metadata } from "next";
import { idPage } from "../../../components/id-page";
import { SecretPage } from "./secret-page";

export const metadata: Metadata = { title: "Secret" };

export default idPage((id) => <SecretPage id={id} />);
