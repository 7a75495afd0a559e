/** Redis repeats the arguments of an unknown command in its error, which may include a password. */
const REPEATED_ARGUMENTS = /,? with args beginning with:.*/s;

/**
 * A Redis error without the command that failed: name, message and code. The command's arguments may contain a
 * password.
 */
export function plainError(cause: unknown): Error & { code?: string } {
  const source = cause instanceof Error ? cause : new Error(String(cause));
  const plain: Error & { code?: string } = new Error(source.message.replace(REPEATED_ARGUMENTS, ""));
  plain.name = source.name;
  const code = "code" in source && typeof source.code === "string" ? source.code : replyCode(source);
  return code === undefined ? plain : Object.assign(plain, { code });
}

/** The first word of an error reply: `WRONGPASS invalid username-password pair`. */
const replyCode = ({ name, message }: Error): string | undefined =>
  name === "ReplyError" ? /^[A-Z]+/.exec(message)?.[0] : undefined;
