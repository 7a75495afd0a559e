import { diskLevels } from "../../disk-space/disk-levels";

/** Of what other files leave on the disk; volumes take space as they fill. */
const DISK_SHARE = 0.8;

/** What volumes may have together of the bytes that other files leave, on a disk with this size: the reserve is svc's own. */
export const volumesMax = (leftBytes: number, diskBytes: number): number =>
  Math.max(0, Math.floor(Math.min(leftBytes * DISK_SHARE, leftBytes - diskLevels(diskBytes).reserveBytes)));

/** What workloads may be promised of the bytes that other files leave, beside all that the volumes may become. */
export const promisesMax = ({ leftBytes, diskBytes, volumesBytes }: Promises): number =>
  Math.max(0, leftBytes - diskLevels(diskBytes).reserveBytes - volumesBytes);

type Promises = Record<"leftBytes" | "diskBytes" | "volumesBytes", number>;
