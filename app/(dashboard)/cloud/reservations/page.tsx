import type { Metadata } from "next";
import { surfaces } from "../../../../server/surfaces";
import { ReservationList } from "./reservation-list";

export const metadata: Metadata = { title: "Reservations" };

export default function ReservationsPage() {
  const { gpus, regions } = surfaces().podCatalog;
  return <ReservationList gpus={gpus.map(({ model }) => model)} regions={regions} />;
}
