declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  export default class S3rver {
    constructor(options: { directory: string; silent?: boolean });
    callback(): RequestListener;
  }
}
