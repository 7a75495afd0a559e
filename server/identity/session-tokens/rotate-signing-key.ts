import { z } from "zod";
import { announceSigningKey, insertSigningKey, lockSigningKeys, type SigningKeyCtx } from "./signing-key";

export const RotateSigningKey = z.strictObject({});

/**
 * For operators: a new key signs from now on. What older keys signed stays good until it expires, within the hour; then
 * the hourly sweep deletes them. Answers the new key's id and those of the retired ones.
 */
export async function rotateSigningKey(
  ctx: SigningKeyCtx,
  _input: z.output<typeof RotateSigningKey>,
): Promise<{ kid: string; retired: string[] }> {
  const rotated = await ctx.db.$transaction(async (tx) => {
    await lockSigningKeys(tx);
    const retired = await tx.signingKey.updateManyAndReturn({
      where: { retiredAt: null },
      data: { retiredAt: ctx.clock.now() },
    });
    const { kid } = await insertSigningKey(tx, ctx);
    return { kid, retired: retired.map((key) => key.kid) };
  });
  await announceSigningKey(ctx, rotated.kid);
  return rotated;
}
