/** Redis repeats the arguments of a command that it does not know, a password among them. */
const REPEATED_ARGUMENTS = /,? with args beginning with:.*/s;

/** A failure of Redis without the command that failed: name, message and code. Its arguments may hold a password. */
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
