import { expect, test } from 'vitest';
import { storageAddress } from './address.ts';

test('files are stored in the data folder, in a given folder, or in a bucket', () => {
  expect(storageAddress(undefined, '/data')).toEqual({ kind: 'disk', folder: '/data/files' });
  expect(storageAddress('/mnt/files', '/data')).toEqual({ kind: 'disk', folder: '/mnt/files' });
  expect(storageAddress('s3://bucket', '/data')).toEqual({
    kind: 's3',
    bucket: 'bucket',
    prefix: '',
    region: 'us-east-1',
    endpoint: undefined,
    forcePathStyle: false,
    credentials: undefined,
  });
  expect(
    storageAddress(
      's3://id:a%2Fb@bucket/some/where/?region=eu-1&endpoint=http://s3:9000&forcePathStyle=true',
      '/data',
    ),
  ).toEqual({
    kind: 's3',
    bucket: 'bucket',
    prefix: 'some/where/',
    region: 'eu-1',
    endpoint: 'http://s3:9000',
    forcePathStyle: true,
    credentials: { accessKeyId: 'id', secretAccessKey: 'a/b' },
  });
});

test.each([
  ['s3://', 'names no bucket (storage/no-default-bucket)'],
  ['s3:///prefix', 'names no bucket (storage/no-default-bucket)'],
  ['s3://id:secret@/prefix', 'STORAGE_URL cannot be used'],
  ['gs://bucket', 'neither a folder nor an s3:// address'],
  ['s3://bucket?path=x', 'the parameter path is not known'],
  ['s3://id@bucket', 'a user or a password, but not both'],
  ['s3://bucket?endpoint=ftp://x', 'no http or https address'],
])('the start is refused with %s', (url, message) => {
  expect(() => storageAddress(url, '/data')).toThrow(message);
});

test('an error never shows the secret', () => {
  try {
    storageAddress('s3://id:hunter2@bucket?x=1', '/data');
    expect.unreachable();
  } catch (error) {
    expect(String(error)).toContain('STORAGE_URL');
    expect(String(error)).not.toContain('hunter2');
  }
});
