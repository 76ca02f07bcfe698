import { randomBytes } from 'node:crypto';

/** Pictures that come with the product, for those who have uploaded none. */
const placeholders = new Set(['/images/guest.svg', '/images/organization.svg', '/images/agent.svg']);

/** The name of an uploaded picture: random, so that its address can't be guessed; its bytes never change. */
export function newImageName(): string {
  return randomBytes(16).toString('hex');
}

export function addressOfImage(name: string): string {
  return `/images/${name}.webp`;
}

/** Undefined for anything but the address of an uploaded picture. */
export function imageNameOf(address: string): string | undefined {
  return /^\/images\/([0-9a-f]{32})\.webp$/.exec(address)?.[1];
}

/** The storage key of its bytes. The prefix separates pictures from files, which nobody gets by key. */
export function storageKeyOf(name: string): string {
  return `img_${name}`;
}

/**
 * Whether a person whose photo is `current` may use this one: a placeholder, or their own again. This keeps the address
 * of another person's picture, or of one never uploaded, out of profiles; a new one gets in by uploading it.
 */
export function mayUsePhoto(address: string, current: string): boolean {
  return address === current || placeholders.has(address);
}
