import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { S3Address } from './address.ts';
import { openBucket, readObject, streamObject, specifiedPatience, type S3Patience } from './s3-bucket.ts';
import { openS3Drafts } from './s3-drafts.ts';
import { requireKey, type Storage } from './storage.ts';

/** Files in S3. Nothing is stored on this machine, so any number of machines can share a bucket. */
export function openS3Storage(address: S3Address, patience: S3Patience = specifiedPatience): Storage {
  const bucket = openBucket(address, patience);
  const { name, client, run } = bucket;
  const object = (key: string) => ({ Bucket: name, Key: bucket.prefix + requireKey(key) });
  return {
    put: async (key, data) => {
      const place = object(key);
      await run('upload', () => client.send(new PutObjectCommand({ ...place, Body: data })));
    },
    get: async (key) => {
      const place = object(key);
      return run('operation', () => readObject(client, place));
    },
    stream: async (key) => {
      const place = object(key);
      return run('operation', () => streamObject(client, place));
    },
    remove: async (key) => {
      const place = object(key);
      await run('operation', () => client.send(new DeleteObjectCommand(place)));
    },
    drafts: openS3Drafts(bucket),
  };
}
