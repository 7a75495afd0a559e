import { z } from "zod";
import { announceSigningKey, insertSigningKey, lockSigningKeys, type SigningKeyCtx } from "./signing-key";

export const RotateSigningKey = z.strictObject({});

/**
 * For operators: creates a new signing key. Tokens of older keys stay valid until they expire, within an hour; then the
 * hourly sweep deletes the keys. Returns the id of the new key and those of the retired ones.
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
