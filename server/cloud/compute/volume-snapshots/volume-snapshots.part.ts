import type { QuietPart } from "../../../identity/part";
import { volumeSnapshotRoutes } from "./volume-snapshots.routes";

export const volumeSnapshotsPart: QuietPart<object, typeof volumeSnapshotRoutes> = {
  name: "snapshots of volumes",
  routes: [volumeSnapshotRoutes],
};
