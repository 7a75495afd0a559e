import { PLANES } from "../../../operation/actor";
import { PLANE_DEFINITIONS } from "./planes";

const quoted = (text: string): string => `'${text}'`;

/** The planes that need no activation. */
const UNGATED = PLANES.filter((plane) => PLANE_DEFINITIONS[plane].gate === null).map(quoted);

/** `plane` or `service` of what is activated for a resource `r`. */
const gateColumn = (column: "plane" | "service"): string => {
  const shared = PLANES.flatMap((plane) => {
    const { gate } = PLANE_DEFINITIONS[plane];
    return gate === null || gate === "own" ? [] : [`WHEN ${quoted(plane)} THEN ${quoted(gate[column])}`];
  });
  return `CASE r.plane ${shared.join(" ")} ELSE r.${column} END`;
};

/** In SQL: what a resource `r` needs is activated. */
export const IS_ACTIVATED = `(r.plane IN (${UNGATED.join(", ")}) OR EXISTS (
  SELECT FROM activations a WHERE a.tenant_id = r.tenant_id AND a.mode = r.mode AND a.ended_at IS NULL
    AND a.plane = ${gateColumn("plane")} AND a.service = ${gateColumn("service")}))`;
