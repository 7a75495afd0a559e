import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { idPage } from "../../../components/id-page";
import { BucketPage } from "./bucket-page";

export const metadata: Metadata = { title: "Bucket" };

export default idPage((id) => <BucketPage id={id} publicUrl={surfaces().publicUrl} />);
