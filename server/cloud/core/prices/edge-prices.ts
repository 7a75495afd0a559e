/** Of a million operations on queues, as the specification has it. */
export const QUEUE_OPERATIONS_PRICE = "0.40";

/** Prices of edge services in USD, as the specification has them: pay as you go, billed monthly. */
export const EDGE_SKUS = [
  { sku: "gateway.seat_month", description: "A user of the secure web gateway", unit: "user_month", price: "7" },
  { sku: "casb.app_month", description: "A connected SaaS app", unit: "app_month", price: "1" },
  { sku: "dlp.gb", description: "A GB that is inspected", unit: "gb", price: "0.10" },
  { sku: "browser_isolation.session_hour", description: "An hour of a session", unit: "session_hour", price: "0.50" },
  {
    sku: "hyperdrive.connections_1k_hour",
    description: "1,000 pooled connections for an hour",
    unit: "1k_connection_hours",
    price: "1.00",
  },
  {
    sku: "queues.million_operations",
    description: "A million operations",
    unit: "million_operations",
    price: QUEUE_OPERATIONS_PRICE,
  },
] as const;
