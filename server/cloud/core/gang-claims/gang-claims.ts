import type { Prisma } from "../../../engines/postgres/generated/client";
import { type MissingMembers, missingMembers } from "./missing-members.sql";

type Db = Pick<Prisma.TransactionClient, "$queryRaw">;

/** What pods that a gang lacks will need of the limits of a tenant. */
export interface GangClaim {
  pods: number;
  /** GPUs of pods that do not wait or run, which are to be created or started. */
  gpus: number;
  volumeGb: number;
}

/** Which claims are counted. */
export interface ClaimsOf {
  tenantId: string;
  /** Only on-demand GPUs of this model and region count. */
  onDemand?: { gpu: string; region: string };
  /** Only GPUs of this reservation count. */
  reservationId?: string;
}

/** A gang: its name is unique in its project and mode. */
export interface GangChoice {
  projectId: string;
  mode: string;
  gangName: string;
}

const NONE: GangClaim = { pods: 0, gpus: 0, volumeGb: 0 };

/**
 * What the gangs of a tenant claim beside the pods that they have. A gang counts as a whole from its first pod that
 * waits on. Otherwise two gangs that fit one after the other could each get a part of a limit, and neither would ever
 * have all of its pods.
 */
export async function gangClaims(tx: Db, { tenantId, onDemand, reservationId }: ClaimsOf): Promise<GangClaim> {
  const missing = await missingMembers(tx, tenantId);
  const isCounted = (one: MissingMembers): boolean => {
    if (reservationId !== undefined) return one.reservationId === reservationId;
    if (!onDemand) return true;
    const isOnDemand = !one.spot && one.reservationId === null;
    return isOnDemand && one.gpu === onDemand.gpu && one.region === onDemand.region;
  };
  return missing.map((one) => (isCounted(one) ? claimOf(one) : { ...claimOf(one), gpus: 0 })).reduce(sum, NONE);
}

/** What one gang claims already; undefined if none of its pods waits, or it lacks none. */
export async function claimOfGang(tx: Db, tenantId: string, gang: GangChoice): Promise<GangClaim | undefined> {
  const missing = await missingMembers(tx, tenantId);
  const found = missing.find(
    ({ projectId, mode, gangName }) => projectId === gang.projectId && mode === gang.mode && gangName === gang.gangName,
  );
  return found && claimOf(found);
}

const claimOf = ({ absent, inactive, gpuCount, volumeGb }: MissingMembers): GangClaim => ({
  pods: absent,
  gpus: inactive * gpuCount,
  volumeGb: absent * volumeGb,
});

const sum = (a: GangClaim, b: GangClaim): GangClaim => ({
  pods: a.pods + b.pods,
  gpus: a.gpus + b.gpus,
  volumeGb: a.volumeGb + b.volumeGb,
});
