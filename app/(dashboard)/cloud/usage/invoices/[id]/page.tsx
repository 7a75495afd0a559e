import type { Metadata } from "next";
import { idPage } from "../../../../components/id-page";
import { InvoicePage } from "./invoice-page";

export const metadata: Metadata = { title: "Invoice" };

export default idPage((id) => <InvoicePage id={id} />);
