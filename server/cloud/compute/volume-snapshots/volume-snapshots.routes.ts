import { route, routeGroup } from "../../../operation/route";
import { createVolumeSnapshot } from "./create-volume-snapshot";
import { deleteVolumeSnapshot } from "./delete-volume-snapshot";
import { listVolumeSnapshots } from "./list-volume-snapshots";

export const volumeSnapshotRoutes = routeGroup("Volume snapshots", "Snapshots of shared volumes, which are resources", [
  route("POST", "/v1/resources/{rid}/snapshots", createVolumeSnapshot),
  route("GET", "/v1/resources/{rid}/snapshots", listVolumeSnapshots),
  route("DELETE", "/v1/resources/{rid}/snapshots/{snapshot_id}", deleteVolumeSnapshot),
]);
