import type { AnyOperation } from "../../operation/operation";
import type { TaggedRoute } from "../../operation/route";

/** A route together with its operation. */
export type Row = AnyOperation & Omit<TaggedRoute, "operation">;

export const rowOf = ({ operation, ...route }: TaggedRoute): Row => ({ ...operation, ...route });
