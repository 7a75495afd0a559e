import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { Reservation } from "./reservation";

/** A reservation that has just started. */
export const reservationExample: Reservation = {
  id: exampleId("rsv"),
  project_id: exampleId("prj"),
  mode: "test",
  name: "training",
  status: "active",
  gpu: "h100",
  count: 16,
  region: "use",
  duration: "30d",
  starts_at: EXAMPLE_TIME,
  ends_at: "2026-12-20T09:00:00.000Z",
  assigned: 16,
  lacking: null,
  in_use: 0,
  lent_to_spot: 0,
  price_per_hour: "19.84",
  total_price: "14284.80",
  currency: "USD",
  simulated: true,
  created_at: EXAMPLE_TIME,
  canceled_at: null,
};
