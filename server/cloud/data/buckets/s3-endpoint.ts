/** The path of the S3 endpoint below PUBLIC_URL, in path style: `/v1/s3/<bucket>/<key>`. */
export const S3_PATH = "/v1/s3";

/** The region that credentials name; the endpoint accepts any. */
export const S3_REGION = "us-east-1";
