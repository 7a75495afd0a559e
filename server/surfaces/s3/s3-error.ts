import type { Xml } from "./write-xml";

/** The error codes of S3 that svc returns, and their HTTP status, from "Error responses" of the S3 API reference. */
export const S3_STATUS = {
  AccessControlListNotSupported: 400,
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BadRequest: 400,
  BucketAlreadyExists: 409,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketAclWithObjectOwnership: 400,
  InvalidBucketName: 400,
  InvalidBucketState: 409,
  InvalidDigest: 400,
  InvalidEncryptionAlgorithmError: 400,
  InvalidObjectState: 403,
  InvalidPart: 400,
  InvalidPartNumber: 416,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidStorageClass: 400,
  InvalidTag: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedACLError: 400,
  MalformedPOSTRequest: 400,
  MalformedPolicy: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MaxMessageLengthExceeded: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  MissingRequestBodyError: 400,
  NoSuchBucket: 404,
  NoSuchBucketPolicy: 404,
  NoSuchCORSConfiguration: 404,
  NoSuchKey: 404,
  NoSuchLifecycleConfiguration: 404,
  NoSuchPublicAccessBlockConfiguration: 404,
  NoSuchObjectLockConfiguration: 404,
  NoSuchTagSet: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NoSuchWebsiteConfiguration: 404,
  NotImplemented: 501,
  ObjectLockConfigurationNotFoundError: 404,
  OperationAborted: 409,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
  ReplicationConfigurationNotFoundError: 404,
  RestoreAlreadyInProgress: 409,
  RequestIsNotMultiPartContent: 400,
  RequestTimeTooSkewed: 403,
  RequestTimeout: 400,
  ServerSideEncryptionConfigurationNotFoundError: 404,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  TooManyBuckets: 400,
  UnexpectedContent: 400,
  UnresolvableGrantByEmailAddress: 400,
  XAmzContentSHA256Mismatch: 400,
} as const;

export type S3Code = keyof typeof S3_STATUS;

export interface S3ErrorExtras {
  headers?: Readonly<Record<string, string>>;
  /** Further elements of the error document. */
  elements?: readonly Xml[];
  /** Logged, never sent. */
  cause?: unknown;
}

/** A failure with the code, status and text that an S3 client receives. */
export class S3Error extends Error {
  readonly status: number;

  constructor(
    readonly code: S3Code,
    message: string,
    readonly extras: S3ErrorExtras = {},
  ) {
    super(message, { cause: extras.cause });
    this.name = "S3Error";
    this.status = S3_STATUS[code];
  }
}
