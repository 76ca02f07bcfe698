import { randomBytes } from 'node:crypto';

/** Pictures that come with the product, for who has uploaded none. */
const placeholders = new Set(['/images/guest.svg', '/images/organization.svg', '/images/agent.svg']);

/** An uploaded picture: its name is random, so that its address cannot be guessed, and its bytes never change. */
export function newImageName(): string {
  return randomBytes(16).toString('hex');
}

export function addressOfImage(name: string): string {
  return `/images/${name}.webp`;
}

/** Undefined for an address that is not of an uploaded picture, whatever else it may be. */
export function imageNameOf(address: string): string | undefined {
  return /^\/images\/([0-9a-f]{32})\.webp$/.exec(address)?.[1];
}

/** Where its bytes are kept. The prefix sets pictures apart from files, which nobody gets by their key. */
export function storageKeyOf(name: string): string {
  return `img_${name}`;
}

/**
 * Whether somebody whose photo is `current` may name this one: a placeholder, or their own again. So no address of another
 * person's picture, and none that was never uploaded, gets into a profile; a new one gets there by uploading it.
 */
export function mayUsePhoto(address: string, current: string): boolean {
  return address === current || placeholders.has(address);
}
