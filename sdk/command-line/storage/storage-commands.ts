import type { CommandSyntax, Field, Flag } from "../command-syntax";

const NOUN = "storage";
const QUIET: Flag = { name: "quiet", kind: "boolean", description: "Print only failures" };
const JSON_LINES: Flag = { name: "json", kind: "boolean", description: "Print one line of JSON per file" };
const LINKS: Flag = {
  name: "follow-symlinks",
  kind: "boolean",
  description: "Upload what symbolic links in a folder lead to; by default they are skipped",
};
const PARALLEL: Flag = {
  name: "parallel",
  kind: "integer",
  minimum: 1,
  maximum: 32,
  description: "How many files or parts are transferred at a time (default 4)",
};
const CONTENT_TYPE: Flag = {
  name: "content-type",
  kind: "string",
  description: "The media type to store; by default that of the file's extension",
};

const place = (name: string, isRequired = true): Field => ({
  name,
  in: "path",
  kind: "string",
  anyText: true,
  ...(isRequired ? { required: true } : {}),
});

const ADDRESSES =
  "An address is svc://bucket/key; s3://bucket/key is the same. Without a key, or with one that ends with a slash, it means what is under it.";

const COPY: CommandSyntax = {
  noun: NOUN,
  verb: "cp",
  scope: "storage:write",
  summary: "Copy a file to an object, an object to a file, or objects to objects",
  details: [
    `${ADDRESSES} - is standard input or output. With --recursive, a folder is copied with all that is in it.`,
    "Files of 16 MiB and more are uploaded in parts. An upload or a download that was interrupted is continued when the same command runs again: parts that svc has are compared with the file, and a download is kept in a file that ends with .part until it is complete. Keys that would leave the folder are not downloaded.",
    "Downloads only need the scope storage:read. Exit status 1 means that some files failed; each is named.",
  ],
  fields: [place("from"), place("to")],
  flags: [
    { name: "recursive", kind: "boolean", description: "Copy a folder, or everything under an address" },
    CONTENT_TYPE,
    LINKS,
    PARALLEL,
    QUIET,
    JSON_LINES,
  ],
  example: "svc storage cp backup.tar svc://my-bucket/backups/",
};

const LIST: CommandSyntax = {
  noun: NOUN,
  verb: "ls",
  scope: "storage:read",
  summary: "List buckets, or the objects under an address",
  details: [ADDRESSES],
  fields: [place("address", false)],
  flags: [
    { name: "recursive", kind: "boolean", description: "All objects, instead of one level with its prefixes" },
    { name: "json", kind: "boolean", description: "Print one line of JSON per object" },
  ],
  example: "svc storage ls svc://my-bucket/backups/",
};

const REMOVE: CommandSyntax = {
  noun: NOUN,
  verb: "rm",
  scope: "storage:write",
  summary: "Delete an object, or everything under an address",
  details: [ADDRESSES],
  fields: [place("address")],
  flags: [
    { name: "recursive", kind: "boolean", description: "Delete everything under the address, after a prompt" },
    { name: "yes", kind: "boolean", description: "Do not prompt; required without a terminal" },
    QUIET,
    JSON_LINES,
  ],
  example: "svc storage rm svc://my-bucket/backups/ --recursive",
};

const PRESIGN: CommandSyntax = {
  noun: NOUN,
  verb: "presign",
  scope: "storage:read",
  summary: "Print a URL with which anyone can download an object, or with --put upload it",
  details: [
    "The URL has the rights of your key, and ends with it. --put needs the scope storage:write. It is used as it is: curl -T file URL",
  ],
  fields: [place("address")],
  flags: [
    { name: "put", kind: "boolean", description: "A URL for an upload" },
    { name: "expires", kind: "string", description: "How long it works: 15m, 1h, 7d (default 1h, at most 7d)" },
    { ...CONTENT_TYPE, description: "The only media type that may be uploaded" },
    { name: "json", kind: "boolean", description: "Print the API's response" },
  ],
  example: "svc storage presign svc://my-bucket/report.pdf --expires 7d",
};

const SYNC: CommandSyntax = {
  noun: NOUN,
  verb: "sync",
  scope: "storage:write",
  summary: "Synchronize a prefix with a folder, or a folder with a prefix",
  details: [
    "Files are compared with objects by size and content: by the ETag, or by the modification time stored at the upload where the ETag of another program cannot be computed. Only what differs is transferred.",
    "An empty source is an error with --delete, because it is more often a mistake. Deletions come last, and only after everything else has succeeded.",
  ],
  fields: [place("from"), place("to")],
  flags: [
    { name: "delete", kind: "boolean", description: "Delete from <to> what <from> does not have" },
    { name: "dry-run", kind: "boolean", description: "Print what would be done" },
    LINKS,
    PARALLEL,
    QUIET,
    JSON_LINES,
  ],
  example: "svc storage sync site/ svc://my-bucket/site/ --delete",
};

export const STORAGE_COMMANDS: readonly CommandSyntax[] = [COPY, LIST, PRESIGN, REMOVE, SYNC];
